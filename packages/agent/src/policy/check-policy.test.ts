import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { expect, it } from 'vitest'
import { checkPolicy } from './check-policy.ts'
import { buildPathPolicy } from './path-policy.ts'

const bytes = (text: string | null) => (text === null ? null : new TextEncoder().encode(text))
const change = (path: string, before: string | null, after: string | null): WorkspaceChange => ({
  path,
  kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  before: bytes(before),
  after: bytes(after),
})
const policy = buildPathPolicy({ maxFiles: 3, maxChangedLines: 10, maxDiffBytes: 1000, maxFileBytes: 2000 })
type Entries = Parameters<typeof checkPolicy>[2]
const codes = (changes: WorkspaceChange[], entries: Entries = [], base: Entries = []) =>
  checkPolicy(changes, policy, entries, base).map(({ code, path }) => `${code} ${path}`)

it('accepts an ordinary change', () => {
  expect(
    codes([change('a.md', 'one\n', 'two\n'), change('b.md', null, 'new\n'), change('c.md', 'old\n', null)]),
  ).toEqual([])
})

it('reports every path that is not allowed', () => {
  const found = [
    change('.github/ci.yml', null, 'x\n'),
    change('AGENTS.md', 'x\n', null),
    change('src/a.ts', 'x\n', 'y\n'),
  ]
  expect(codes(found)).toEqual([
    'path_not_allowed .github/ci.yml',
    'path_not_allowed AGENTS.md',
    'path_not_allowed src/a.ts',
  ])
})

it('allows moved images and rejects new or changed images', () => {
  expect(codes([change('a.png', 'bytes', null), change('b.png', null, 'bytes')])).toEqual([])
  expect(codes([change('a.png', 'bytes', null), change('b.png', null, 'other')])).toEqual(['image_changed b.png'])
  expect(codes([change('a.png', 'bytes', 'other')])).toEqual(['image_changed a.png'])
})

it('rejects a new executable file', () => {
  const entry = { path: 'a.md', kind: 'file', executable: true } as const
  expect(codes([change('a.md', null, 'x\n')], [entry])).toEqual(['executable_added a.md'])
  expect(codes([change('a.md', 'y\n', 'x\n')], [entry], [entry])).toEqual([])
})

it('rejects a file that became executable, even if its bytes are unchanged', () => {
  const entry = { path: 'a.md', kind: 'file', executable: true } as const
  const base = [{ ...entry, executable: false }]
  expect(codes([change('a.md', 'y\n', 'x\n')], [entry], base)).toEqual(['executable_added a.md'])
  expect(codes([change('a.md', 'y\n', 'y\n')], [entry], base)).toEqual(['executable_added a.md'])
})

it('enforces the limits on files, lines and bytes', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('')
  expect(codes(['a', 'b', 'c', 'd'].map((name) => change(`${name}.md`, null, 'x\n')))).toEqual(['too_many_files null'])
  expect(codes([change('a.md', lines(6), lines(6).replaceAll('line', 'row'))])).toEqual(['too_many_lines null'])
  expect(codes([change('a.md', lines(100), `${lines(100)}end\n`)])).toEqual([])
  expect(codes([change('a.md', null, 'x'.repeat(1500))])).toEqual(['diff_too_large null'])
  expect(codes([change('a.md', 'x'.repeat(2001), `${'x'.repeat(2001)}\ny`)])).toEqual(
    ['file_too_large a.md', 'diff_too_large null'].slice(0, 1),
  )
})

it('counts only the lines of a moved file that differ', () => {
  const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('')
  const move = (before: string, after: string) => codes([change('a.md', before, null), change('b.md', null, after)])
  expect(move(lines(20), lines(20))).toEqual([])
  expect(move(lines(20), `${lines(20)}${lines(10, 'new')}`)).toEqual([])
  expect(move(lines(20), `${lines(20)}${lines(11, 'new')}`)).toEqual(['too_many_lines null'])
  expect(move(lines(20), `${lines(14)}${lines(6, 'new')}`)).toEqual(['too_many_lines null'])
  expect(move(lines(6), lines(6, 'new'))).toEqual(['too_many_lines null'])
})

it('rejects a new file with a name that Windows cannot check out, unless its folder already existed', () => {
  const base = ['docs/a.md', 'old/aux/a.md'].map((path) => ({ path, kind: 'file' as const, executable: false }))
  const judge = (path: string, before: string | null) => {
    const found = checkPolicy([change(path, before, 'x\n')], policy, [], base)
    return found.map(({ code }) => code)
  }
  for (const path of ['docs/con.md', 'aux/a.md', 'package.json:x.md', 'GIT~1/a.md', 'docs/a /b.md'])
    expect([path, judge(path, null)]).toEqual([path, ['path_unportable']])
  expect(judge('old/aux/b.md', null)).toEqual([])
  expect(judge('docs/con.md', 'y\n')).toEqual([])
})

it('rejects a new file whose path differs from another only in case', () => {
  const entries = (...paths: string[]) => paths.map((path) => ({ path, kind: 'file' as const, executable: false }))
  const guide = change('docs/Guide.md', null, 'x\n')
  expect(codes([guide], entries('docs/guide.md', 'docs/Guide.md'))).toEqual(['path_collision docs/Guide.md'])
  expect(codes([change('docs/Gu\u0308.md', null, 'x\n')], entries('docs/g\u00FC.md', 'docs/Gu\u0308.md'))).toEqual([
    'path_collision docs/Gu\u0308.md',
  ])
  // A renamed page.
  const renamed = [guide, change('docs/guide.md', 'x\n', null)]
  expect(codes(renamed, entries('docs/Guide.md'))).toEqual([])
  expect(codes([change('docs/guide.md', 'x\n', 'y\n')], entries('docs/guide.md', 'docs/Guide.md'))).toEqual([])
})
