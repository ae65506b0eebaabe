import { describe, expect, it } from 'vitest'
import { restrictSource } from '../sources/agent-source.ts'
import { buildSource } from '../test-support/build-source.ts'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'

const lines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`)
const before = [...lines(1, 30)].join('\n')
const after = ['line 1', 'new', ...lines(2, 24), 'line 25!', ...lines(26, 30)].join('\n')
const api = buildSource({
  files: { 'src/flags.ts': `${after}\n`, 'src/new.ts': 'a\n', 'logo.bin': { bytes: Uint8Array.of(0, 1) } },
  before: { 'src/flags.ts': `${before}\n`, 'src/old.ts': 'gone\n', 'logo.bin': { bytes: Uint8Array.of(0) } },
})
const harness = buildToolHarness({ 'a.md': '# A\n' }, {}, [api])

describe('the source parameter', () => {
  it.each<[tool: string, input: object, text: string]>([
    ['list_files', { path: 'src' }, 'src/flags.ts 236 B\nsrc/new.ts 2 B'],
    ['search', { query: 'line 25' }, 'src/flags.ts:26: line 25!\n1 hit in 1 file.'],
    ['view', { path: 'src/flags.ts', view_range: [2, 3] }, 'src/flags.ts: 31 lines; source api\n2\tnew\n3\tline 2'],
  ])('%s reads the source', async (tool, input, text) => {
    expect(await harness.call(tool, { ...input, source: 'api' })).toEqual({ isError: false, text })
  })
  it('reads the edited files without it', async () => {
    expect((await harness.call('list_files', { source: null })).text).toBe('a.md 4 B')
  })
  it.each(['list_files', 'search', 'view', 'source_changes'])('%s rejects an unknown source', async (tool) => {
    const { text, isError } = await harness.call(tool, { path: 'a.md', query: 'x', source: 'web' })
    expect([isError, text]).toEqual([true, 'There is no source "web". Available sources: api.'])
  })
  it.each<[tool: string, input: object]>([
    ['create', { path: 'b.md', file_text: 'x\n' }],
    ['edit', { path: 'src/new.ts', old_str: 'a', new_str: 'b' }],
    ['delete', { path: 'src/new.ts' }],
  ])('%s never writes to a source', async (tool, input) => {
    const local = buildToolHarness({ 'a.md': '# A\n' }, {}, [api])
    await local.call(tool, { ...input, source: 'api' })
    expect((await local.workspace.changes()).every(({ path }) => path === 'b.md')).toBe(true)
    expect(new TextDecoder().decode(await api.workspace.read('src/new.ts'))).toBe('a\n')
    expect(await api.workspace.find('b.md')).toBeNull()
  })
})

describe('source_changes', () => {
  it('lists commits and files', async () => {
    expect((await harness.call('source_changes', { source: 'api' })).text).toBe(
      [
        '1 commit since bbbbbbbbbbbb, newest first:',
        'aaaaaaaaaaaa Change the API',
        'Changed files:',
        'modified logo.bin',
        'modified src/flags.ts',
        'added src/new.ts',
        'removed src/old.ts',
      ].join('\n'),
    )
  })
  it('shows the diff of a file', async () => {
    const { text } = await harness.call('source_changes', { source: 'api', path: './src/flags.ts' })
    expect(text.split('\n')).toEqual([
      'src/flags.ts: modified',
      '@@ -1,4 +1,5 @@',
      ' line 1',
      '+new',
      ' line 2',
      ' line 3',
      ' line 4',
      '@@ -22,7 +23,7 @@',
      ' line 22',
      ' line 23',
      ' line 24',
      '-line 25',
      '+line 25!',
      ' line 26',
      ' line 27',
      ' line 28',
    ])
  })
  it.each([
    ['a deleted file', 'src/old.ts', 'src/old.ts: deleted\n@@ -1,1 +0,0 @@\n-gone'],
    ['an added file', 'src/new.ts', 'src/new.ts: added\n@@ -0,0 +1,1 @@\n+a'],
    ['a binary file', 'logo.bin', 'logo.bin: modified, not text, 2 B'],
  ])('shows %s', async (_, path, text) => {
    expect(await harness.call('source_changes', { source: 'api', path })).toEqual({ isError: false, text })
  })
  it('suggests a path that exists', async () => {
    const { text, isError } = await harness.call('source_changes', { source: 'api', path: 'flags.ts' })
    expect([isError, text]).toEqual([true, 'flags.ts does not exist. Did you mean src/flags.ts?'])
  })
  it('states that the range is not known', async () => {
    const unknown = buildToolHarness({}, {}, [buildSource({ files: { a: 'x' } })])
    const { text, isError } = await unknown.call('source_changes', { source: 'api' })
    expect([isError, text]).toEqual([true, expect.stringMatching(/not known/)])
  })
  it('states what a large range leaves out, and cleans commit messages', async () => {
    const commit = { id: 'c'.repeat(40), subject: 'Fix\u200b it', pullRequest: { number: 7, title: 'Fix\u202e\nall' } }
    const large = buildSource({
      files: {},
      before: {},
      range: { commits: Array.from({ length: 250 }, () => commit), totalCommits: 900, hasMoreFiles: true },
    })
    const { text } = await buildToolHarness({}, {}, [large]).call('source_changes', { source: 'api' })
    expect(text).toMatch(
      /^900 commits since bbbbbbbbbbbb, which is too large a range to list\. The newest 100 are listed, newest first, and 800 older commits are left out:\n/,
    )
    expect(text.split('\n')[1]).toBe('cccccccccccc Fix it (pull request 7: Fix all)')
    expect(text).toMatch(/more files changed, which are not listed/)
  })
  it('cuts a long diff at a line', async () => {
    const long = buildSource({ files: { a: `${'x'.repeat(1_000)}\n`.repeat(40) }, before: {} })
    const { text } = await buildToolHarness({}, {}, [long]).call('source_changes', { source: 'api', path: 'a' })
    expect(text.length).toBeLessThan(25_000)
    expect(text).toMatch(/\n\+x{1000}\n\[the rest of the diff is omitted; view the file\]$/)
  })
})

describe('restricted sources', () => {
  const readable = (path: string) => path.startsWith('src/') && path !== 'src/old.ts'
  const restricted = buildToolHarness({}, {}, [restrictSource(api, readable)])

  it.each<[tool: string, input: object, text: RegExp]>([
    ['list_files', { depth: 3 }, /^src\/ \(2 files\)\nsrc\/flags\.ts 236 B\nsrc\/new\.ts 2 B$/],
    ['search', { query: 'gone' }, /^No matches/],
    ['view', { path: 'logo.bin' }, /does not exist/],
    ['source_changes', {}, /Changed files:\nmodified src\/flags\.ts\nadded src\/new\.ts$/],
    ['source_changes', { path: 'src/old.ts' }, /does not exist/],
    ['source_changes', { path: 'logo.bin' }, /does not exist/],
  ])('%s %j', async (tool, input, expected) => {
    expect((await restricted.call(tool, { ...input, source: 'api' })).text).toMatch(expected)
  })

  it('a hidden file does not exist', async () => {
    const { workspace } = restrictSource(api, readable)
    expect(await workspace.find('logo.bin')).toBeNull()
    await expect(workspace.read('logo.bin')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('the readable paths of the project also apply to docs', async () => {
    const docs = { ...api, name: 'docs' }
    const local = buildToolHarness({ 'src/new.ts': '' }, { readable: [['src/new.ts']] }, [docs, api])
    expect((await local.call('list_files', { source: 'docs', depth: 3 })).text).toBe('src/ (1 file)\nsrc/new.ts 2 B')
    expect((await local.call('list_files', { source: 'api' })).text).toMatch(/flags/)
    expect((await local.call('source_changes', { source: 'docs' })).text).toMatch(/Changed files:\nadded src\/new\.ts$/)
  })
})
