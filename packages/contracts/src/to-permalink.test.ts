import { expect, test } from 'vitest'
import { toPermalink } from './to-permalink.ts'

test('encodes the path and names one or several lines', () => {
  const at = { repository: 'https://github.com/acme/code', commit: 'c0ffee', path: 'src/a b#1/[id].ts' }
  const file = 'https://github.com/acme/code/blob/c0ffee/src/a%20b%231/%5Bid%5D.ts'
  expect(toPermalink({ ...at, fromLine: 3, toLine: 3 })).toBe(`${file}#L3`)
  expect(toPermalink({ ...at, fromLine: 3, toLine: 9 })).toBe(`${file}#L3-L9`)
})

test.each([
  ['gitlab', '/-/blob/c0ffee/a.ts#L3-9'],
  ['forgejo', '/src/commit/c0ffee/a.ts#L3-L9'],
  ['gitea', '/src/commit/c0ffee/a.ts#L3-L9'],
] as const)('follows the form of the host: %s', (kind, tail) => {
  const repository = 'https://git.example.test/acme/code'
  const lines = { repository, commit: 'c0ffee', path: 'a.ts', fromLine: 3, toLine: 9 }
  expect(toPermalink(lines, [{ host: 'git.example.test', kind, basePath: '' }])).toBe(`${repository}${tail}`)
})
