import { expect, test } from 'vitest'
import { toRepositoryUrl } from './repository-url.ts'

const allowed = ['github.com', 'ghe.example.com:8443', '127.0.0.1:3000']

test.each([
  ['https://github.com/acme/docs', 'https://github.com/acme/docs'],
  ['https://github.com/acme/docs.git', 'https://github.com/acme/docs'],
  ['https://github.com/acme/docs/', 'https://github.com/acme/docs'],
  ['HTTPS://GitHub.com/Acme/Docs.site', 'https://github.com/Acme/Docs.site'],
  ['https://ghe.example.com:8443/a/b', 'https://ghe.example.com:8443/a/b'],
  ['http://127.0.0.1:3000/a/b', 'http://127.0.0.1:3000/a/b'],
])('maps %s to %s', (text, expected) => expect(toRepositoryUrl(text, allowed)).toBe(expected))

test.each([
  'github.com/acme/docs',
  'http://github.com/acme/docs',
  'ssh://git@github.com/acme/docs',
  'file:///etc/passwd',
  'https://user:hunter2@github.com/acme/docs',
  'https://ghp_token@github.com/acme/docs',
  'https://evil.example/acme/docs',
  'https://ghe.example.com/a/b',
  'https://github.com.evil.example/a/b',
  'https://github.com/acme',
  'https://github.com/acme/docs/tree/main',
  'https://github.com/acme/group/docs',
  'https://github.com/acme/..',
  'https://github.com/acme/%2e%2e',
  'https://github.com/acme/docs?x=1',
  'https://github.com/acme/docs#x',
  'http://169.254.169.254/latest/meta-data',
])('rejects %s without repeating a credential', (text) => {
  const error = (() => {
    try {
      return toRepositoryUrl(text, allowed)
    } catch (thrown) {
      return thrown as Error
    }
  })()
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).not.toMatch(/hunter2|ghp_token/)
})
