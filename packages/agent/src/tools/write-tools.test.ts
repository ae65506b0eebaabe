import { describe, expect, it } from 'vitest'
import { buildPathPolicy } from '../policy/path-policy.ts'
import { buildToolHarness, bytesOf } from '../test-support/build-tool-harness.ts'
import { findViolations } from './find-violations.ts'

const files = {
  'docs.json': '{"navigation":{"groups":[{"group":"Guides","pages":["start","guides/next"]}]}}\n',
  'start.mdx': '---\ntitle: Start\n---\n\nSee [next](/guides/next#top) and [again](guides/next.mdx).\n',
  'guides/next.mdx': '# Next\n\n<a href="../start">Start</a>\n',
  'images/logo.png': { bytes: Uint8Array.of(0x89, 0x50, 0, 1) },
  'link.md': { bytes: bytesOf('start.mdx'), kind: 'symlink' },
  'package.json': '{}\n',
} as const

describe('insert', () => {
  it.each<[name: string, before: string, line: number, text: string, after: string]>([
    ['at the top', 'a\nb\n', 0, 'x', 'x\na\nb\n'],
    ['in the middle', 'a\nb\n', 1, 'x\n', 'a\nx\nb\n'],
    ['at the end', 'a\nb\n', 2, 'x', 'a\nb\nx\n'],
    ['with two lines', 'a\nb\n', 1, 'x\ny', 'a\nx\ny\nb\n'],
    ['with a blank line', 'a\nb\n', 1, '\n', 'a\n\nb\n'],
    ['into a CRLF file', 'a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['with CRLF from the model', 'a\nb\n', 1, 'x\r\n', 'a\nx\nb\n'],
    ['after a last line without a newline', 'a\nb', 2, 'x', 'a\nb\nx'],
    ['that ends with a newline after a last line without one', 'a\nb', 2, 'x\n', 'a\nb\nx\n'],
    ['before a last line without a newline', 'a\nb', 1, 'x', 'a\nx\nb'],
    ['into an empty file', '', 0, 'x', 'x\n'],
    ['into a file with a byte order mark', '\uFEFFa\n', 0, 'x', '\uFEFFx\na\n'],
  ])('inserts text %s', async (_, before, insert_line, insert_text, after) => {
    const harness = buildToolHarness({ 'a.md': before })
    expect(await harness.call('insert', { path: 'a.md', insert_line, insert_text })).toMatchObject({ isError: false })
    expect(harness.workspace.text('a.md')).toBe(after)
  })

  it.each<[name: string, input: unknown, text: RegExp]>([
    [
      'a line past the end',
      { path: 'start.mdx', insert_line: 6, insert_text: 'x' },
      /start\.mdx has 5 lines, so use 0 to 5/,
    ],
    ['a negative line', { path: 'start.mdx', insert_line: -1, insert_text: 'x' }, /use 0 to 5/],
    ['empty text', { path: 'start.mdx', insert_line: 1, insert_text: '' }, /insert_text is empty/],
    ['a line that is not an integer', { path: 'start.mdx', insert_line: 1.5, insert_text: 'x' }, /invalid input/],
    ['a symbolic link', { path: 'link.md', insert_line: 0, insert_text: 'x' }, /symbolic link/],
  ])('rejects %s', async (_, input, expected) => {
    const harness = buildToolHarness(files)
    expect(await harness.call('insert', input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(await harness.workspace.changes()).toEqual([])
  })

  it('reports front matter that an insertion pushes down', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('insert', { path: 'start.mdx', insert_line: 0, insert_text: 'x' })
    expect(text).toContain('has lost its front matter')
  })
})

describe('create', () => {
  it('keeps the text unchanged and reports a missing navigation entry', async () => {
    const harness = buildToolHarness(files)
    const file_text = '# New\r\n\r\nNo final newline'
    const { text } = await harness.call('create', { path: 'guides/new.mdx', file_text })
    expect(text.split('\n')).toEqual([
      'Created guides/new.mdx with 3 lines.',
      'Your changes introduce issues here. Fix them before you finish:',
      'guides/new.mdx: [navigation, advice] The page is missing from the navigation. Add it to docs.json.',
    ])
    expect(harness.workspace.text('guides/new.mdx')).toBe(file_text)
  })

  it('reports issues in the new page', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('create', { path: 'new.mdx', file_text: '---\na: b: c\n---\n' })
    expect(text).toMatch(/new\.mdx:2: \[frontmatter\] The front matter is not valid YAML/)
  })

  it('creates a file at a previously deleted path', async () => {
    const harness = buildToolHarness(files)
    const turn = await harness.turn([
      ['delete', { path: 'start.mdx' }],
      ['create', { path: 'start.mdx', file_text: 'new\n' }],
    ])
    expect(turn.map(({ isError }) => isError)).toEqual([false, false])
    expect(harness.workspace.text('start.mdx')).toBe('new\n')
  })

  it.each<[name: string, path: string, text: RegExp]>([
    ['an existing file', 'start.mdx', /start\.mdx exists \(5 lines\)\. Use edit/],
    ['a workflow', '.github/workflows/x.md', /protected/],
    ['agent instructions', 'guides/agents.MD', /protected/],
    ['a script', 'build.sh', /not a documentation file/],
    ['an image', 'images/new.svg', /is an image/],
    ['a path below a file', 'start.mdx/x.md', /start\.mdx is a file/],
    ['a git folder', 'guides/.git/x.md', /protected/],
    ['a control character', 'a\u0007.md', /control character/],
    ['a backslash', 'a\\b.md', /backslash/],
    ['an empty path', '', /path is empty/],
    ['a right-to-left override', 'gnp.\u202Edm.md', /invisible/],
  ])('rejects %s', async (_, path, expected) => {
    const harness = buildToolHarness(files)
    const result = await harness.call('create', { path, file_text: 'x\n' })
    expect(result).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(await harness.workspace.changes()).toEqual([])
    expect(harness.faults).toEqual([])
  })
})

describe('move and delete', () => {
  it('move rewrites links and navigation entries, and adds a redirect', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('move', { path: 'guides/next.mdx', new_path: 'guides/after.mdx' })
    expect(text.split('\n')).toEqual([
      'Moved guides/next.mdx to guides/after.mdx.',
      'Rewrote 2 links in 1 file: start.mdx (2).',
      'Renamed 1 navigation entry in docs.json.',
      'Added a redirect in docs.json: /guides/next to /guides/after.',
    ])
    expect(harness.workspace.text('start.mdx')).toContain('/guides/after#top')
  })

  it('a move that exceeds the limits changes nothing', async () => {
    const harness = buildToolHarness(files, { maxFiles: 3 })
    const result = await harness.call('move', { path: 'guides/next.mdx', new_path: 'guides/after.mdx' })
    expect(result).toEqual({ isError: true, text: expect.stringMatching(/Nothing was moved[\s\S]*4 files; at most 3/) })
    expect(await harness.workspace.changes()).toEqual([])
  })

  it('a page with more lines than the limit can be moved, but not rewritten', async () => {
    const page = Array.from({ length: 3_000 }, (_, n) => `Line ${n}.\n`).join('')
    const harness = buildToolHarness({ ...files, 'long.mdx': page })
    const move = { path: 'long.mdx', new_path: 'guides/long.mdx' }
    expect(await harness.call('move', move)).toMatchObject({ isError: false })
    const violations = await findViolations({ ...harness, policy: buildPathPolicy(), knownSecrets: [] }, null, '')
    expect(violations).toEqual([])
    await harness.workspace.write('guides/long.mdx', bytesOf(page.replaceAll('Line', 'Row')))
    const after = await findViolations({ ...harness, policy: buildPathPolicy(), knownSecrets: [] }, null, '')
    expect(after.map(({ code }) => code)).toEqual(['too_many_lines'])
  })

  it('move moves a folder and its files', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('move', { path: 'guides', new_path: 'manual/guides' })
    expect(text).toContain('Moved guides to manual/guides (1 file).')
    expect(harness.workspace.text('manual/guides/next.mdx')).toContain('href="../../start"')
    expect(harness.workspace.text('docs.json')).toContain('"manual/guides/next"')
  })

  it("an edit that repeats a move's rewrite reports that it is already done", async () => {
    const harness = buildToolHarness(files)
    await harness.call('move', { path: 'guides/next.mdx', new_path: 'guides/after.mdx' })
    const edit = { path: 'start.mdx', old_str: '/guides/next#top', new_str: '/guides/after#top' }
    expect((await harness.call('edit', edit)).text).toContain('new_str is already present')
  })

  it('delete lists the references to the file', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('delete', { path: 'start.mdx' })
    expect(text).toContain('contains the page "start"')
    expect(text).toContain('guides/next.mdx:3: ../start')
    expect(await harness.workspace.find('start.mdx')).toBeNull()
  })

  it('delete removes navigation entries only with remove_entries', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('delete', { path: 'start.mdx', remove_entries: true })
    expect(text).toContain('Removed 1 navigation entry from docs.json.')
    expect(harness.workspace.text('docs.json')).not.toContain('start')
    const kept = buildToolHarness(files)
    await kept.call('delete', { path: 'start.mdx' })
    expect((await kept.workspace.changes()).map(({ path }) => path)).toEqual(['start.mdx'])
  })

  it('images can be moved and deleted', async () => {
    const harness = buildToolHarness(files)
    expect(await harness.call('move', { path: 'images/logo.png', new_path: 'img/logo.png' })).toMatchObject({
      isError: false,
    })
    expect(await harness.call('delete', { path: 'img/logo.png' })).toMatchObject({ isError: false })
  })

  it.each<[name: string, tool: string, input: unknown, text: RegExp]>([
    ['an existing destination', 'move', { path: 'start.mdx', new_path: 'guides/next.mdx' }, /guides\/next\.mdx exists/],
    ['an unchanged path', 'move', { path: 'start.mdx', new_path: './start.mdx' }, /the same/],
    ['a protected destination', 'move', { path: 'start.mdx', new_path: '.github/start.mdx' }, /protected/],
    ['a protected source', 'move', { path: 'package.json', new_path: 'package.md' }, /protected/],
    ['a changed extension', 'move', { path: 'start.mdx', new_path: 'start.png' }, /keep the extension/],
    ['a missing file', 'move', { path: 'strat.mdx', new_path: 'x.mdx' }, /Did you mean start\.mdx/],
    ['a symbolic link', 'move', { path: 'link.md', new_path: 'x.md' }, /symbolic link/],
    ['a protected file', 'delete', { path: 'package.json' }, /protected/],
    ['a folder', 'delete', { path: 'guides' }, /not a documentation file/],
    ['a missing file', 'delete', { path: 'none.md' }, /does not exist/],
  ])('rejects %s (%s)', async (_, tool, input, expected) => {
    const harness = buildToolHarness(files)
    expect(await harness.call(tool, input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(await harness.workspace.changes()).toEqual([])
  })
})
