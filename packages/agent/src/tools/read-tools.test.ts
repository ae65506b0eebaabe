import { describe, expect, it } from 'vitest'
import { buildToolHarness, bytesOf } from '../test-support/build-tool-harness.ts'

const many = Object.fromEntries(
  Array.from({ length: 310 }, (_, n) => [`many/page-${String(n).padStart(3, '0')}.md`, `hit ${n}\n`]),
)
const files = {
  ...many,
  'docs.json': '{"navigation":{"tabs":[{"tab":"Guides","groups":[{"group":"Start","pages":["guides/start"]}]}]}}\n',
  'guides/start.mdx': '\uFEFF---\r\ntitle: "First steps"\r\n---\r\n\r\nInstall the **tool**.\r\n',
  'guides/deep/er/page.md': 'Install it\nthen\nrun it\n',
  'long.md': `${'w'.repeat(30_000)}\nshort\n`,
  'tall.md': `${Array.from({ length: 700 }, (_, n) => `row ${n + 1}`).join('\n')}\n`,
  'empty.md': '',
  'unended.md': 'no newline',
  'logo.png': { bytes: Uint8Array.of(0x89, 0x50, 0, 1) },
  'latin.md': { bytes: Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a) },
  latest: { bytes: bytesOf('guides'), kind: 'symlink' },
  'vendor/theme': { bytes: bytesOf(''), kind: 'submodule' },
} as const

const harness = buildToolHarness(files)

describe('list_files', () => {
  it('shows folders first, with sizes', async () => {
    const { text } = await harness.call('list_files', { depth: 1 })
    expect(text.split('\n')).toEqual([
      'guides/ (2 files)',
      'many/ (310 files)',
      'vendor/ (1 file)',
      'docs.json 97 B',
      'empty.md 0 B',
      'latest (symlink)',
      'latin.md 5 B',
      'logo.png 4 B',
      'long.md 29.3 KB',
      'tall.md 5.4 KB',
      'unended.md 10 B',
    ])
  })
  it('lists two levels by default', async () => {
    const { text } = await harness.call('list_files', { path: 'guides', depth: null })
    expect(text).toBe('guides/deep/ (1 file)\nguides/deep/er/ (1 file)\nguides/start.mdx 60 B')
  })
  it('paginates after 300 rows', async () => {
    const first = await harness.call('list_files', { path: 'many' })
    expect(first.text.split('\n')).toHaveLength(301)
    expect(first.text).toMatch(/Rows 1 to 300 of 310\. Narrow `glob` or `path`, or use offset=300\.$/)
    const rest = await harness.call('list_files', { path: 'many', offset: 300 })
    expect(rest.text.split('\n')).toHaveLength(11)
  })
  it('matches globs below the folder', async () => {
    expect((await harness.call('list_files', { glob: '**/*.mdx' })).text).toBe('guides/start.mdx 60 B')
    expect((await harness.call('list_files', { path: 'guides', glob: '**/p*.md' })).text).toBe(
      'guides/deep/er/page.md 23 B',
    )
    expect((await harness.call('list_files', { glob: '*.rst' })).text).toBe('No file matches *.rst.')
  })
  it.each<[name: string, input: unknown, text: RegExp]>([
    ['a missing folder', { path: 'deep' }, /The folder deep does not exist\. Did you mean guides\/deep/],
    ['a file', { path: 'long.md' }, /long\.md is a file/],
    ['an offset past the end', { offset: 9999 }, /past the end/],
    ['an invalid glob', { glob: '{a,b' }, /is not a glob/],
    ['a path outside the repository', { path: '../' }, /".."/],
    ['an invalid depth', { depth: 0 }, /invalid input.*depth/],
  ])('rejects %s', async (_, input, expected) => {
    expect(await harness.call('list_files', input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
  })
})

describe('view', () => {
  it('numbers lines and shows the title and navigation position', async () => {
    const { text } = await harness.call('view', { path: 'guides/start.mdx' })
    expect(text).toBe(
      'guides/start.mdx: 5 lines; title "First steps"; in docs.json > Guides > Start\n1\t---\n2\ttitle: "First steps"\n3\t---\n4\t\n5\tInstall the **tool**.',
    )
  })
  it('shows a range and reports omitted lines', async () => {
    expect((await harness.call('view', { path: 'tall.md', view_range: [699, -1] })).text).toMatch(
      /\n699\trow 699\n700\trow 700$/,
    )
    const { text } = await harness.call('view', { path: 'tall.md' })
    expect(text.split('\n')).toHaveLength(602)
    expect(text).toMatch(/\[lines 601 to 700 are omitted; use view_range \[601, 700\]\]$/)
  })
  it('truncates a line only if it is too long', async () => {
    const { text } = await harness.call('view', { path: 'long.md' })
    expect(text.length).toBeLessThan(25_000)
    expect(text).toContain('[line cut, 30000 characters]')
    expect(text).toMatch(/\[lines 2 to 2 are omitted; use view_range \[2, 2\]\]$/)
  })
  it.each<[name: string, path: string, text: string]>([
    ['an empty file', 'empty.md', 'empty.md: 0 lines; not in docs.json'],
    ['a file without a final newline', 'unended.md', 'unended.md: 1 line; not in docs.json\n1\tno newline'],
    ['a binary file', 'logo.png', 'logo.png is a binary file (png), 4 B. It cannot be shown.'],
    ['a file that is not UTF-8', 'latin.md', 'latin.md is text, but not encoded in UTF-8, 5 B. It cannot be shown.'],
    ['a symbolic link', 'latest', 'latest is a symbolic link:\nguides'],
    ['a submodule', 'vendor/theme', 'vendor/theme is a submodule; its content is in another repository.'],
  ])('shows %s', async (_, path, text) => {
    expect(await harness.call('view', { path })).toEqual({ isError: false, text })
  })
  it.each<[name: string, input: unknown, text: RegExp]>([
    ['a range past the end', { path: 'tall.md', view_range: [900, 950] }, /Start 900 is past the end \(700 lines\)/],
    ['a reversed range', { path: 'tall.md', view_range: [5, 2] }, /ends \(2\) before it starts \(5\)/],
    ['a range that starts at 0', { path: 'tall.md', view_range: [0, 2] }, /numbered from 1 to 700/],
    ['a range with one number', { path: 'tall.md', view_range: [1] }, /invalid input/],
    ['a folder', { path: 'guides' }, /is a folder with 2 files/],
    ['a missing file', { path: 'Guides/Start.mdx' }, /Did you mean guides\/start\.mdx/],
  ])('rejects %s', async (_, input, expected) => {
    expect(await harness.call('view', input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
  })
})

describe('search', () => {
  it('is literal by default', async () => {
    const { text } = await harness.call('search', { query: '**tool**' })
    expect(text).toBe('guides/start.mdx:5: Install the **tool**.\n1 hit in 1 file.')
  })
  it('supports ignore_case, a glob and context lines', async () => {
    const { text } = await harness.call('search', { query: 'THEN', ignore_case: true, glob: 'guides/**', context: 1 })
    expect(text).toBe(
      'guides/deep/er/page.md-1- Install it\nguides/deep/er/page.md:2: then\nguides/deep/er/page.md-3- run it\n1 hit in 1 file.',
    )
  })
  it('supports RE2 expressions', async () => {
    expect((await harness.call('search', { query: '^Install (it|the)', mode: 'regex' })).text).toMatch(
      /2 hits in 2 files\.$/,
    )
  })
  it('does not hang on a malicious expression', async () => {
    const evil = buildToolHarness({ 'a.md': `${'a'.repeat(50_000)}\n` })
    expect((await evil.call('search', { query: '(a+)+$x', mode: 'regex' })).text).toBe('No matches.')
  })
  it('supports counts, file lists and pagination', async () => {
    expect((await harness.call('search', { query: 'row 7', output: 'counts' })).text).toBe('tall.md: 12\n1 file.')
    expect((await harness.call('search', { query: 'Install', output: 'files' })).text).toBe(
      'guides/deep/er/page.md\nguides/start.mdx\n2 files.',
    )
    const first = await harness.call('search', { query: 'hit' })
    expect(first.text).toMatch(/Rows 1 to 100 of 310 hits in 310 files\. Narrow the query, or use offset=100\.$/)
    const last = await harness.call('search', { query: 'hit', offset: 300 })
    expect(last.text.split('\n')).toHaveLength(11)
  })
  it('paginates within one file', async () => {
    const { text } = await harness.call('search', { query: 'row', offset: 650 })
    expect(text).toMatch(/^tall\.md:651: row 651\n/)
    expect(text).toMatch(/700 hits in 1 file\.$/)
  })
  it('truncates long lines', async () => {
    expect((await harness.call('search', { query: 'www' })).text).toContain('… [30000 characters]')
  })
  it('suggests similar lines', async () => {
    const { text, isError } = await harness.call('search', { query: 'install the tool' })
    expect(isError).toBe(false)
    expect(text).toMatch(/^No matches\. Nearest:\nguides\/start\.mdx \(line 5\): Install/)
  })
  it.each<[name: string, input: unknown, text: RegExp]>([
    ['an empty query', { query: ' ' }, /query is empty/],
    ['a query of several lines', { query: 'a\nb' }, /spans several lines/],
    ['a lookaround', { query: '(?<=a)b', mode: 'regex' }, /not supported \(RE2\)/],
    ['an invalid expression', { query: '(', mode: 'regex' }, /not a valid RE2 expression/],
    ['a glob that matches no file', { query: 'a', glob: '*.rst' }, /No file matches the glob/],
    ['an offset past the end', { query: 'tool', offset: 50 }, /past the end/],
    ['an unknown mode', { query: 'a', mode: 'fuzzy' }, /invalid input.*mode/],
  ])('rejects %s', async (_, input, expected) => {
    expect(await harness.call('search', input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
  })
})
