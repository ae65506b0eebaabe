import type { MemoryFile } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildToolHarness, bytesOf } from '../test-support/build-tool-harness.ts'

const page = 'one\ntwo\nthree\n'

describe('edit', () => {
  it.each<[name: string, before: string, old: string, now: string, after: string]>([
    ['a word', page, 'two', 'TWO', 'one\nTWO\nthree\n'],
    ['several lines', page, 'one\ntwo', 'zero', 'zero\nthree\n'],
    [
      'replacement patterns of String.replace as plain text',
      page,
      'two',
      "$& $1 $` $' $$",
      "one\n$& $1 $` $' $$\nthree\n",
    ],
    ['a CRLF file with LF from the model', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\r\nc\r\n'],
    ['a CRLF file with CRLF from the model', 'a\r\nb\r\nc\r\n', 'a\r\nb', 'a\r\nx', 'a\r\nx\r\nc\r\n'],
    ['one line of a CRLF file', 'a\r\nb\r\nc\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\nc\r\n'],
    ['mixed line endings outside the edit', 'a\r\nb\nc\r\nd\n', 'b', 'x', 'a\r\nx\nc\r\nd\n'],
    [
      'mixed line endings, using the ending of the replaced text',
      'a\nb\nc\r\nd\r\ne\r\n',
      'a\nb',
      'x\ny',
      'x\ny\nc\r\nd\r\ne\r\n',
    ],
    ['a byte order mark', '\uFEFFone\ntwo\n', 'one', 'ONE', '\uFEFFONE\ntwo\n'],
    ['a missing final newline', 'a\nb', 'b', 'x', 'a\nx'],
    ['a final newline', 'a\nb\n', 'b\n', 'x', 'a\nx\n'],
    ['a final CRLF', 'a\r\nb\r\n', 'b\n', 'x', 'a\r\nx\r\n'],
    ['a deleted line', page, 'two\n', '', 'one\nthree\n'],
    ['a file that becomes empty', page, page, '', ''],
    ['a lone CR as text', 'a\rb\n', 'a\rb', 'c', 'c\n'],
    ['astral characters', 'x 🙂 y\n', '🙂', 'é', 'x é y\n'],
  ])('handles %s', async (_, before, old_str, new_str, after) => {
    const harness = buildToolHarness({ 'a.md': before })
    expect(await harness.call('edit', { path: 'a.md', old_str, new_str })).toMatchObject({ isError: false })
    expect(harness.workspace.text('a.md')).toBe(after)
  })

  it('replaces all occurrences if expected_replacements equals their number', async () => {
    const harness = buildToolHarness({ 'a.md': 'x\r\ny x\r\nx\r\n' })
    const { text } = await harness.call('edit', {
      path: './a.md',
      old_str: 'x',
      new_str: 'zz',
      expected_replacements: 3,
    })
    expect(text).toContain('3 replacements')
    expect(harness.workspace.text('a.md')).toBe('zz\r\ny zz\r\nzz\r\n')
  })

  it('shows four lines before and after the edit', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
    const harness = buildToolHarness({ 'a.md': `${lines.join('\n')}\n` })
    const { text } = await harness.call('edit', {
      path: 'a.md',
      old_str: 'line 10\n',
      new_str: 'ten\nten and a half\n',
    })
    expect(text.split('\n').slice(1)).toEqual([
      '6\tline 6',
      '7\tline 7',
      '8\tline 8',
      '9\tline 9',
      '10\tten',
      '11\tten and a half',
      '12\tline 11',
      '13\tline 12',
      '14\tline 13',
      '15\tline 14',
    ])
  })

  it('applies an edit that breaks the page and reports the issue', async () => {
    const harness = buildToolHarness({ 'a.mdx': '# A\n\ntext\n' })
    const { text, isError } = await harness.call('edit', { path: 'a.mdx', old_str: 'text', new_str: '<Note>text' })
    expect(isError).toBe(false)
    expect(text).toContain('a.mdx:3: [syntax] MDX does not parse: <Note> is not closed')
    expect(harness.workspace.text('a.mdx')).toContain('<Note>')
  })
})

const latin: MemoryFile = { bytes: Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a) }
const files = {
  'a.md': page,
  'twice.md': 'x\ny\nx\n',
  'guides/start.mdx': '# Start\n\nInstall the command line tool with npm.\n',
  'latin.md': latin,
  'logo.md': { bytes: Uint8Array.of(0x89, 0x50, 0, 1) },
  'link.md': { bytes: bytesOf('a.md'), kind: 'symlink' },
  'big.md': { bytes: bytesOf('version'), kind: 'lfs' },
  'AGENTS.md': 'rules\n',
} as const

describe('rejected edits change nothing and explain the fix', () => {
  it.each<[name: string, input: unknown, text: RegExp]>([
    ['missing text', { path: 'a.md', old_str: 'four', new_str: 'x' }, /old_str is not in a\.md/],
    [
      'text similar to a line',
      { path: 'guides/start.mdx', old_str: 'Install the command-line tool via npm', new_str: 'x' },
      /Did you mean .*\n3\tInstall the command line tool with npm\./,
    ],
    [
      'an edit that is already done',
      { path: 'a.md', old_str: 'zwei', new_str: 'two' },
      /new_str is already present at line 2/,
    ],
    ['text with line numbers', { path: 'a.md', old_str: '2\ttwo', new_str: 'x' }, /Leave out the line numbers/],
    [
      'too many occurrences',
      { path: 'twice.md', old_str: 'x', new_str: 'z' },
      /occurs 2 times in twice\.md \(lines 1, 3\), not 1/,
    ],
    [
      'too few occurrences',
      { path: 'a.md', old_str: 'two', new_str: 'z', expected_replacements: 2 },
      /1 time in a\.md \(line 2\)/,
    ],
    ['identical strings', { path: 'a.md', old_str: 'two', new_str: 'two' }, /nothing was changed/],
    [
      'strings that differ only in line endings',
      { path: 'a.md', old_str: 'one\ntwo', new_str: 'one\r\ntwo' },
      /nothing was changed/,
    ],
    [
      'a change to only the final newline',
      { path: 'a.md', old_str: 'three\n', new_str: 'three' },
      /already contains this text/,
    ],
    ['an empty old_str', { path: 'a.md', old_str: '', new_str: 'x' }, /old_str is empty/],
    ['half a surrogate pair', { path: 'a.md', old_str: 'two', new_str: '\ud83d' }, /surrogate/],
    ['a NUL character', { path: 'a.md', old_str: 'two', new_str: 'a\0b' }, /NUL/],
    ['a file that is not UTF-8', { path: 'latin.md', old_str: 'caf', new_str: 'x' }, /not encoded in UTF-8/],
    ['a binary file', { path: 'logo.md', old_str: 'P', new_str: 'x' }, /binary file \(4 B\)/],
    ['a symbolic link', { path: 'link.md', old_str: 'a', new_str: 'x' }, /symbolic link/],
    ['an LFS pointer', { path: 'big.md', old_str: 'v', new_str: 'x' }, /LFS/],
    ['a missing file', { path: 'guides/strat.mdx', old_str: 'a', new_str: 'b' }, /Did you mean guides\/start\.mdx/],
    [
      'a path with a different extension',
      { path: 'guides/start.md', old_str: 'a', new_str: 'b' },
      /Did you mean guides\/start\.mdx/,
    ],
    ['a folder', { path: 'guides', old_str: 'a', new_str: 'b' }, /not a documentation file/],
    ['a protected file', { path: 'AGENTS.md', old_str: 'rules', new_str: 'b' }, /protected/],
    ['a path outside the repository', { path: '../a.md', old_str: 'a', new_str: 'b' }, /"\.\." part/],
    ['an absolute path', { path: '/etc/passwd', old_str: 'a', new_str: 'b' }, /must not start with a slash/],
    ['input without old_str', { path: 'a.md', new_str: 'b' }, /invalid input.*old_str/],
    ['input of the wrong type', { path: 'a.md', old_str: 1, new_str: 'b' }, /invalid input.*old_str/],
    ['input that is not an object', 'edit it', /invalid input/],
  ])('rejects %s', async (_, input, expected) => {
    const harness = buildToolHarness(files)
    const { text, isError } = await harness.call('edit', input)
    expect(isError).toBe(true)
    expect(text).toMatch(expected)
    expect(await harness.workspace.changes()).toEqual([])
    expect(harness.faults).toEqual([])
  })

  it('rejects a file over the size limit', async () => {
    const harness = buildToolHarness({ 'a.md': page }, { maxFileBytes: 100 })
    const { text } = await harness.call('edit', { path: 'a.md', old_str: 'two', new_str: 'x'.repeat(200) })
    expect(text).toMatch(/the limit is 100 B/)
    expect(await harness.workspace.changes()).toEqual([])
  })
})
