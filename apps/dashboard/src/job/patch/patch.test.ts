import { describe, expect, test } from 'vitest'
import { buildFileTree, type TreeNode } from './build-file-tree.ts'
import { parseFilePatch } from './file-patch.ts'
import { markHunk, markWords, splitWords } from './mark-hunk.ts'

const parse = (patch: string | null, path = 'a.md', text: string | null = null) =>
  parseFilePatch({ path, status: 'modified', patch, omitted: null }, text)
const head = (name: string) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n`

describe('parseFilePatch', () => {
  test('numbers lines on both sides across several hunks', () => {
    const { lines, notes, isWhole } = parse(
      `${head('a.md')}@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n@@ -10 +11,0 @@ here\n-ten\n`,
    )
    expect([notes, isWhole]).toEqual([[], false])
    expect(lines.map(({ kind, oldNumber, newNumber, text }) => [kind, oldNumber, newNumber, text])).toEqual([
      ['same', 1, 1, 'one'],
      ['removed', 2, null, 'two'],
      ['added', null, 2, 'zwei'],
      ['added', null, 3, 'drei'],
      ['removed', 10, null, 'ten'],
    ])
  })

  test('reads the lines between the hunks from the text, unless it does not match', () => {
    const patch = `${head('a.md')}@@ -2 +2,2 @@\n-b\n+B\n+B2\n@@ -4 +4,0 @@\n-d\n`
    const { lines, isWhole } = parse(patch, 'a.md', 'a\nB\nB2\nc\ne')
    expect(isWhole).toBe(true)
    expect(
      lines.map(
        ({ oldNumber, newNumber, text, hasNoNewline }) => `${oldNumber} ${newNumber} ${text}${hasNoNewline ? '.' : ''}`,
      ),
    ).toEqual(['1 1 a', '2 null b', 'null 2 B', 'null 3 B2', '3 4 c', '4 null d', '5 5 e.'])
    for (const other of ['', 'a\nB\n', 'a\nB\nX\nc\n']) expect(parse(patch, 'a.md', other).isWhole, other).toBe(false)
  })

  test('treats lines that look like headers as content', () => {
    const { lines } = parse(`${head('a.md')}@@ -1,2 +1,2 @@\n--- a/x\n-@@ -1 +1 @@\n+++ b/x\n+diff --git a/x b/x\n`)
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'removed -- a/x',
      'removed @@ -1 +1 @@',
      'added ++ b/x',
      'added diff --git a/x b/x',
    ])
  })

  test('marks the line that has no newline at the end of the file', () => {
    const no = '\\ No newline at end of file\n'
    const { lines } = parse(`${head('a.md')}@@ -1 +1 @@\n-a\n${no}+b\n${no}`)
    expect(lines.map(({ text, hasNoNewline }) => [text, hasNoNewline])).toEqual([
      ['a', true],
      ['b', true],
    ])
  })

  test('parses quoted and escaped names, moves and mode changes', () => {
    const moved = parse(
      'diff --git "a/\\303\\244 \\"x\\".md" b/new.md\nsimilarity index 90%\nrename from "\\303\\244 \\"x\\".md"\nrename to new.md\n',
      'new.md',
    )
    expect([moved.path, moved.oldPath, moved.notes]).toEqual([
      'new.md',
      'ä "x".md',
      ['Only the path of the file changed.'],
    ])
    const mode = parse('diff --git a/a.sh b/a.sh\nold mode 100644\nnew mode 100755\n', 'a.sh')
    expect(mode.notes).toEqual(['File mode changed from 100644 to 100755.'])
    const name = parse(`${head('x')}@@ -1 +1 @@\n-a\n+b\n`, '../<img src=x>.md')
    expect(name.path).toBe('../<img src=x>.md')
  })

  test('explains why lines are missing and never throws on an invalid patch', () => {
    expect(parse(null).notes[0]).toContain('too large')
    expect(parseFilePatch({ path: 'a.png', status: 'added', patch: null, omitted: 'binary' }, null).notes[0]).toContain(
      'not text',
    )
    expect(parse('diff --git a/a b/a\nBinary files a/a and b/a differ\n').notes[0]).toContain('not text')
    expect(parse('diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n').notes).toEqual([
      'The file is empty.',
    ])
    for (const broken of ['', 'x', '@@ -1,5 +1,5 @@\n a\n', '--- a\n', `${head('a')}@@ -x +y @@\n`]) {
      expect(() => parse(broken)).not.toThrow()
      expect(parse(broken).lines.length).toBeLessThan(2)
    }
  })
})

describe('word comparison', () => {
  test('splits text into words that can be joined back into the original text', () => {
    for (const text of ["don't panic — it's 3.14", '日本語の文書 and English', 'a\t\n b', '👩‍👩‍👧 é é', '']) {
      expect(splitWords(text).join('')).toBe(text)
    }
    expect(splitWords("don't go")).toEqual(["don't", ' ', 'go'])
    expect(splitWords('日本語 abc')).toEqual(['日', '本', '語', ' ', 'abc'])
  })

  test('marks changed words and the spaces between them', () => {
    const marks = markWords('Use the old flag here', 'Use a new flag here')
    const show = (spans: readonly { text: string; isChanged: boolean }[] | undefined) =>
      spans?.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
    expect(show(marks?.before)).toBe('Use [the old] flag here')
    expect(show(marks?.after)).toBe('Use [a new] flag here')
  })

  test('does not compare lines that are too different or too long', () => {
    expect(markWords('one two three', 'vier fünf sechs')).toBeNull()
    expect(markWords('x '.repeat(3000), 'x '.repeat(3001))).toBeNull()
  })

  test('marks changed words only in adjacent lines that are similar', () => {
    const { lines } = parse(
      `${head('a')}@@ -1,3 +1,3 @@\n-nothing alike\n-the quick brown fox\n keep\n+added far away\n+the quick red fox\n`,
    )
    expect(markHunk(lines).every(({ spans }) => spans === null)).toBe(true)
    const together = parse(
      `${head('a')}@@ -1,2 +1,2 @@\n-nothing alike\n-the quick brown fox\n+added far away\n+the quick red fox\n`,
    )
    const marked = markHunk(together.lines)
    expect(marked.map(({ spans }) => spans?.filter((span) => span.isChanged).map((span) => span.text))).toEqual([
      undefined,
      ['brown'],
      undefined,
      ['red'],
    ])
  })
})

test('lists folders first in the file tree and merges a folder with its only child if the child is a folder', () => {
  const file = (path: string) => ({ path, status: 'modified' as const, additions: 1, deletions: 0 })
  const tree = buildFileTree(
    ['z.md', 'docs/guide/deep/b.md', 'docs/guide/deep/a.md', 'docs/x/y.md', '__proto__/p.md'].map(file),
  )
  const show = (nodes: readonly TreeNode[]): unknown[] =>
    nodes.map((node) => (node.kind === 'file' ? `${node.name}#${node.index}` : [node.name, ...show(node.children)]))
  expect(show(tree)).toEqual([
    ['__proto__', 'p.md#4'],
    ['docs', ['guide/deep', 'a.md#2', 'b.md#1'], ['x', 'y.md#3']],
    'z.md#0',
  ])
})
