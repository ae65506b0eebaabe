import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { FileChange } from '@corrigenda/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { type ChangedFile, toChanges } from './to-changes.ts'

const X = '100755'
const run = promisify(execFile)
const bytes = (text: string) => new TextEncoder().encode(text)
const added = (name: string, text: string): ChangedFile => ({
  path: name,
  kind: 'added',
  before: null,
  after: bytes(text),
})
const removed = (name: string, text: string): ChangedFile => ({
  path: name,
  kind: 'deleted',
  before: bytes(text),
  after: null,
})
const modified = (name: string, before: string, after: string): ChangedFile => ({
  path: name,
  kind: 'modified',
  before: bytes(before),
  after: bytes(after),
})

/** Writes the original files, applies the patch with git and returns the resulting files. */
async function apply(
  changes: readonly ChangedFile[],
  patch: string,
  options: string[] = [],
): Promise<Map<string, string>> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'changes-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await run('git', ['init', '-q', dir])
  for (const { path: name, before, oldMode } of changes) {
    if (before === null) continue
    const file = path.join(dir, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, before)
    if (oldMode === '100755') await chmod(file, 0o755)
  }
  const patchFile = path.join(dir, '.git', 'change.patch')
  await writeFile(patchFile, patch)
  const { stderr } = await run('git', ['-C', dir, 'apply', '--whitespace=nowarn', ...options, patchFile])
  expect(stderr).toBe('')
  const files = new Map<string, string>()
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(dir, file)
    if (!entry.isFile() || name.startsWith('.git/')) continue
    files.set(name, `${(await stat(file)).mode & 0o100 ? 'x' : '-'}${(await readFile(file)).toString('latin1')}`)
  }
  return files
}

const expected = (changes: readonly ChangedFile[]) =>
  new Map(
    changes
      .filter((change) => change.after !== null)
      .map(({ path: name, after, mode }) => [
        name,
        `${mode === '100755' ? 'x' : '-'}${Buffer.from(after ?? []).toString('latin1')}`,
      ]),
  )

const patchOf = (changes: readonly ChangedFile[]) =>
  toChanges(changes)
    .files.map((file) => file.patch ?? '')
    .join('')

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('')

const cases: [string, ChangedFile[]][] = [
  ['an added file', [added('docs/new.md', '# New\n\nText.\n')]],
  ['a removed file', [removed('docs/old.md', '# Old\n')]],
  [
    'a change at the start, in the middle and at the end',
    [modified('a.md', lines(0, 60), `first\n${lines(1, 30)}middle\n${lines(31, 59)}last\n`)],
  ],
  [
    'changes with adjacent context',
    [modified('a.md', lines(0, 20), lines(0, 20).replace('line 5\n', '').replace('line 11\n', 'x\n'))],
  ],
  ['a removed final newline', [modified('a.md', 'a\nb\n', 'a\nb')]],
  ['an added final newline', [modified('a.md', 'a\nb', 'a\nb\n')]],
  ['no final newline on either side', [modified('a.md', 'a\nb', 'a\nc')]],
  ['a last line without a newline as context', [modified('a.md', 'a\nb\nc', 'x\nb\nc')]],
  ['added and removed files without a newline', [added('a.md', 'a'), removed('b.md', 'b')]],
  [
    'carriage returns',
    [
      modified('a.md', 'a\r\nb\r\nc\r\n', 'a\r\nx\r\nc\r\n'),
      modified('b.md', 'a\nb\n', 'a\r\nb\r\n'),
      modified('c.md', 'a\rb\n', 'a\rc\n'),
    ],
  ],
  ['a byte order mark', [modified('a.md', '\uFEFFa\nb\n', '\uFEFFa\nc\n'), modified('b.md', '\uFEFFa\n', 'a\n')]],
  ['empty files', [added('a.md', ''), removed('b.md', ''), modified('c.md', '', 'a\n'), modified('d.md', 'a\n', '')]],
  [
    'names with spaces, quotes, backslashes and other scripts',
    [
      added('docs/my page.md', 'a\n'),
      modified('docs/say "hi" now.md', 'a\n', 'b\n'),
      removed('docs/back\\slash.md', 'a\n'),
      modified('文档/ページ é.md', 'a\n', 'b\n'),
      added('tab\there.md', 'a\n'),
      removed(' leading and trailing ', 'a\n'),
      added('e\u0301mpty name.md', ''),
    ],
  ],
  [
    'executables',
    [
      { ...added('run.sh', 'a\n'), mode: X },
      { ...modified('tool', 'a\n', 'b\n'), oldMode: X, mode: X },
      { ...modified('made so', 'a\n', 'b\n'), mode: X },
      { ...modified('no more', 'a\n', 'a\n'), oldMode: X },
      { ...removed('gone', 'a\n'), oldMode: X },
    ],
  ],
  [
    'lines that look like a patch',
    [
      modified('a.md', '--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n', '--- a/y\n+++ b/y\ndiff --git a/z b/z\n'),
      modified('b.md', '-- x\n', '++ x\n'),
    ],
  ],
  ['non-ASCII and control characters', [modified('a.md', 'ä 🙂\n\u2028x\n', 'ö 🙃\n\u2028x\u0001\n')]],
]

test('a removed and an added file with similar lines are one moved file, whose patch git applies', async () => {
  const page = '# Secrets\n\nOne.\n\nTwo.\n\nThree.\n'
  const image = { ...added('new/b.png', ''), after: new Uint8Array([1, 0, 2]) }
  const changes = [
    removed('docs/my secrets.md', page),
    added('docs/ä/managing-secrets.md', page.replace('Two', '2')),
    { ...removed('b.png', ''), before: new Uint8Array([1, 0, 2]) },
    image,
    { ...removed('link', 'a.md'), oldMode: '120000' },
    added('file', 'a.md'),
  ]
  const { files } = toChanges(changes)
  expect(
    files.map(({ path, previousPath, status, additions, deletions }) => ({
      path,
      previousPath,
      status,
      additions,
      deletions,
    })),
  ).toEqual([
    {
      path: 'docs/ä/managing-secrets.md',
      previousPath: 'docs/my secrets.md',
      status: 'renamed',
      additions: 1,
      deletions: 1,
    },
    { path: 'new/b.png', previousPath: 'b.png', status: 'renamed', additions: 0, deletions: 0 },
    { path: 'link', previousPath: undefined, status: 'removed', additions: 0, deletions: 1 },
    { path: 'file', previousPath: undefined, status: 'added', additions: 1, deletions: 0 },
  ])
  const moves = changes.slice(0, 4)
  expect(await apply(moves, patchOf(moves))).toEqual(expected(moves))
})

test('stores the texts of modified and moved files up to a limit per file and in total', () => {
  const paths = (limits: { maxTextBytes?: number; maxTextsBytes?: number; maxPatchBytes?: number }) =>
    toChanges(
      [
        modified('a.md', 'a\nb\n', 'a\nc\n'),
        modified('b.md', 'a\nb\n', 'a\nlong line\n'),
        modified('c.md', 'a\nb\n', 'a\nd\n'),
        added('d.md', 'a\n'),
        { ...modified('e.png', '', ''), after: new Uint8Array([0]) },
        modified('f.md', 'a\n', ''),
      ],
      limits,
    ).texts.map(({ path }) => path)
  expect(paths({})).toEqual(['a.md', 'b.md', 'c.md'])
  expect(paths({ maxTextBytes: 4 })).toEqual(['a.md', 'c.md'])
  expect(paths({ maxTextsBytes: 8 })).toEqual(['a.md', 'c.md'])
  expect(paths({ maxPatchBytes: 0 })).toEqual([])
})

test.each(cases)('git applies %s', async (_name, changes) => {
  const patch = patchOf(changes)
  for (const file of toChanges(changes).files) FileChange.parse(file)
  expect(await apply(changes, patch)).toEqual(expected(changes))
})

test('builds patches for random edits that git can apply', async () => {
  let seed = 7
  const next = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  const changes = Array.from({ length: 60 }, (_, i): ChangedFile => {
    const before = Array.from({ length: next(40) }, () => `word ${next(6)}${next(5) === 0 ? '\r' : ''}\n`)
    const after = before.flatMap((line) => (next(6) === 0 ? [] : next(6) === 0 ? [line, `new ${next(9)}\n`] : [line]))
    if (next(3) === 0) after.push('no newline')
    return modified(`f${i}.md`, before.join(''), after.join(''))
  }).filter((change) => !Buffer.from(change.before ?? []).equals(Buffer.from(change.after ?? [])))
  expect(changes.length).toBeGreaterThan(40)
  expect(await apply(changes, patchOf(changes))).toEqual(expected(changes))
})

test('lists binary and non-UTF-8 files without a patch, and git ignores comments in a patch', async () => {
  const image: ChangedFile = { path: 'a.png', kind: 'added', before: null, after: new Uint8Array([1, 0, 2]) }
  const latin: ChangedFile = { path: 'b.md', kind: 'modified', before: bytes('a\n'), after: new Uint8Array([0xe4, 10]) }
  const text = modified('c.md', 'a\n', 'b\n')
  const { files } = toChanges([image, latin, text])
  expect(files.map(({ omitted, patch, additions }) => [omitted, patch === null, additions])).toEqual([
    ['binary', true, 0],
    ['not_utf8', true, 0],
    [null, false, 1],
  ])
  const noted = `# Left out: "a.png" added (binary)\n${files[2]?.patch}# Left out: "b.md" modified (not UTF-8)\n`
  expect(await apply([text], noted)).toEqual(expected([text]))
})

test('limits the size of the patches, but lists every file with its line counts', () => {
  const big = added('big.md', 'x\n'.repeat(600_000))
  const small = added('small.md', 'x\n')
  const { files } = toChanges([small, big, small])
  expect(files.map(({ omitted, additions }) => [omitted, additions])).toEqual([
    [null, 1],
    ['too_large', 600_000],
    [null, 1],
  ])
  expect(toChanges([small], { maxPatchBytes: 10 }).files.map((file) => file.omitted)).toEqual(['too_large'])
})
