import type { Evidence, RunSource } from '@corrigenda/contracts'
import { findLive, renderGitHub } from '@corrigenda/git/internal/test-support/render-github'
import { expect, test } from 'vitest'
import { toEvidenceRows } from './pull-request-sections.ts'

const commit = 'a'.repeat(40)
const build = (some: Partial<RunSource>): RunSource => ({
  name: 'api',
  repository: 'https://github.com/acme/api',
  ref: 'main',
  commit,
  baseCommit: null,
  visibility: 'public',
  cite: 'links',
  paths: [],
  quotable: [],
  ...some,
})
const entry: Evidence = {
  page: 'a.md',
  source: 'api',
  path: 'src/a b.ts',
  fromLine: 3,
  toLine: 9,
  note: 'The *default*',
}
const rows = (evidence: Partial<Evidence>, source: Partial<RunSource> = {}) =>
  toEvidenceRows({ evidence: [{ ...entry, ...evidence }], sources: [build(source)] }, (text) => text)

test('cites lines as permalinks, as names, or not at all', () => {
  const url = `https://github.com/acme/api/blob/${commit}/src/a%20b.ts#L3-L9`
  expect(rows({})).toEqual([`- \`a.md\`: [\`api: src/a b.ts:3-9\`](${url}) The \\*default\\*`])
  expect(rows({ toLine: 3 }, { cite: 'names' })).toEqual(['- `a.md`: `api: src/a b.ts:3` The \\*default\\*'])
  expect(rows({}, { cite: 'none' })).toEqual([])
  expect(rows({ source: 'web' })).toEqual([])
})

test('hostile names and notes stay text', () => {
  for (const path of [
    'a](http://x.test) [b.ts',
    'a`b](http://x.test)',
    'a)b(c.ts',
    '<img src=x>.ts',
    '@acme/team.ts',
  ]) {
    const [row = ''] = rows({ path, page: path, note: `${path} @acme #1 ![x](http://y.test/z)` })
    expect(row.split('\n')).toHaveLength(1)
    const { active, links, text } = renderGitHub(row)
    expect([active, findLive(text)]).toEqual([['a'], []])
    expect(links).toHaveLength(1)
    expect(links[0]?.startsWith(`https://github.com/acme/api/blob/${commit}/`)).toBe(true)
  }
})
