import { describe, expect, test } from 'vitest'
import { checkRepositoryPath, toRepositoryAddress } from './repository-address.ts'

const HOSTS = [
  'github.com',
  { host: 'gitlab.test', kind: 'gitlab', basePath: '' },
  { host: 'example.test', kind: 'gitea', basePath: '/git' },
] as const

describe('toRepositoryAddress', () => {
  test.each([
    ['https://github.com/acme/docs', 'github.com', 'acme/docs', 'https://github.com/acme/docs'],
    ['https://github.com/acme/docs.git', 'github.com', 'acme/docs', 'https://github.com/acme/docs'],
    [
      'https://git.acme.test:8443/acme/docs/',
      'git.acme.test:8443',
      'acme/docs',
      'https://git.acme.test:8443/acme/docs',
    ],
    ['http://127.0.0.1:4000/acme/docs', '127.0.0.1:4000', 'acme/docs', 'http://127.0.0.1:4000/acme/docs'],
    ['http://[::1]:4000/acme/docs', '[::1]:4000', 'acme/docs', 'http://[::1]:4000/acme/docs'],
    ['https://git.acme.test/a/b/docs.git/', 'git.acme.test', 'a/b/docs', 'https://git.acme.test/a/b/docs'],
    ['https://git.acme.test/a/b/c/d/docs', 'git.acme.test', 'a/b/c/d/docs', 'https://git.acme.test/a/b/c/d/docs'],
  ])('parses %s', (text, host, path, url) => {
    const { origin } = new URL(url)
    expect(toRepositoryAddress(text)).toEqual({ host, origin, kind: 'github', base: origin, path, name: 'docs', url })
  })

  test.each([
    'http://github.com/acme/docs',
    'ssh://git@github.com/acme/docs',
    'https://user:secret@github.com/acme/docs',
    'https://github.com/acme',
    'https://github.com/acme//docs',
    'https://github.com/acme/docs?x=1',
    'https://github.com/acme/docs#x',
    'https://github.com/acme/..',
    'https://github.com/acme/.git',
    'https://github.com/acme/sub/.git',
    'https://github.com/ac%2Fme/docs',
    'https://github.com/acme/%2e%2e/docs',
    `https://github.com/${'a/'.repeat(21)}docs`,
    `https://github.com/acme/${'d'.repeat(101)}`,
    'acme/docs',
    '',
  ])('rejects %j with a message that contains no credential', (text) => {
    expect(() => toRepositoryAddress(text)).toThrow(Error)
    expect(() => toRepositoryAddress(text)).not.toThrow(/secret/)
  })
})

test.each([
  ['https://gitlab.test/group/sub/docs', 'gitlab', 'group/sub/docs', 'https://gitlab.test'],
  ['https://example.test/git/acme/docs.git', 'gitea', 'acme/docs', 'https://example.test/git'],
  ['https://github.com/acme/docs', 'github', 'acme/docs', 'https://github.com'],
])('parses %s with the declared hosts', (text, kind, path, base) => {
  expect(toRepositoryAddress(text, HOSTS)).toMatchObject({ kind, path, base, url: `${base}/${path}` })
})

test('an installation below the root of its host has no repositories above it', () => {
  expect(() => toRepositoryAddress('https://example.test/acme/docs', HOSTS)).toThrow('https://example.test/git/')
})

test('a GitHub repository path has exactly two segments: owner and name', () => {
  const check = (text: string) => checkRepositoryPath(toRepositoryAddress(text))
  expect(() => check('https://github.com/acme/docs')).not.toThrow()
  expect(() => check('https://github.com/acme/sub/docs')).toThrow('must name an owner and a repository')
})
