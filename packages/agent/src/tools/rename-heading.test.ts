import { describe, expect, it } from 'vitest'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'

const files = {
  'docs.json': '{"navigation":{"groups":[{"group":"Guides","pages":["start","next"]}]}}\n',
  'start.mdx': '---\ntitle: Start\n---\n\nSee [next](/next#set-up) and [more](/next#more).\n',
  'next.mdx': '---\ntitle: Next\n---\n\n## Set up\n\nText.\n\n## More\n\n[up](#set-up)\n',
}
const input = { path: 'next.mdx', heading: 'Set up', new_heading: 'Install' }

describe('rename_heading', () => {
  it('renames the heading and the links to its anchor', async () => {
    const harness = buildToolHarness(files)
    const { text, isError } = await harness.call('rename_heading', input)
    expect(isError).toBe(false)
    expect(text.split('\n')).toEqual([
      'Renamed the heading "Set up" to "Install" (next.mdx:5).',
      'Its anchor was #set-up and is now #install.',
      'Rewrote 2 links in 2 files: next.mdx (1), start.mdx (1).',
    ])
    expect(harness.workspace.text('next.mdx')).toBe(
      files['next.mdx'].replace('Set up', 'Install').replace('#set-up', '#install'),
    )
    expect(harness.workspace.text('start.mdx')).toBe(files['start.mdx'].replace('#set-up', '#install'))
  })

  it('keeps the anchor on request', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('rename_heading', { ...input, keep_anchor: true })
    expect(text).toContain('Its anchor is still #set-up.')
    expect(harness.workspace.text('next.mdx')).toContain('## Install {#set-up}\n')
    expect((await harness.workspace.changes()).map(({ path }) => path)).toEqual(['next.mdx'])
  })

  it('lists the links in files that cannot be changed', async () => {
    const harness = buildToolHarness(files, { deny: ['start.mdx'] })
    const { text } = await harness.call('rename_heading', input)
    expect(text).toMatch(/Not rewritten[\s\S]*start\.mdx:5: \/next#set-up \("start\.mdx" is excluded/)
  })

  it.each<[name: string, change: object, settings: object, text: RegExp]>([
    ['a missing heading', { heading: 'Tear down' }, {}, /no heading "Tear down"[\s\S]*5: Set up \(#set-up\)/],
    ['a missing page', { path: 'none.mdx' }, {}, /does not exist/],
    ['a navigation file', { path: 'docs.json' }, {}, /docs\.json is not a page/],
    ['a protected page', {}, { deny: ['next.mdx'] }, /excluded by the settings/],
    ['a text with two lines', { new_heading: 'A\nB' }, {}, /one line/],
    ['more files than allowed', {}, { maxFiles: 1 }, /2 files; at most 1 are allowed[\s\S]*keep_anchor/],
  ])('rejects %s', async (_, change, settings, expected) => {
    const harness = buildToolHarness(files, settings)
    const result = await harness.call('rename_heading', { ...input, ...change })
    expect(result).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(await harness.workspace.changes()).toEqual([])
    expect(harness.faults).toEqual([])
  })
})

describe('an edit that removes anchors', () => {
  it('names the links in other pages', async () => {
    const harness = buildToolHarness(files)
    const edit = { path: 'next.mdx', old_str: '## Set up', new_str: '## Install' }
    const { text } = await harness.call('edit', edit)
    expect(text).toMatch(/removes anchors of next\.mdx[\s\S]*use rename_heading\.\nstart\.mdx:5: \/next#set-up$/)
    expect(text).toContain('next.mdx:11:')
    const again = await harness.call('edit', { path: 'next.mdx', old_str: 'Text', new_str: 'Words' })
    expect(again.text).not.toContain('removes anchors')
  })

  it('names at most ten links', async () => {
    const links = '[x](/next#set-up)\n\n'.repeat(12)
    const harness = buildToolHarness({ ...files, 'many.mdx': links })
    const { text } = await harness.call('edit', { path: 'next.mdx', old_str: '## Set up', new_str: '## Install' })
    expect(text).toContain('… and 3 more')
  })

  it('names them if the page may have other anchors', async () => {
    const open = {
      ...files,
      'next.mdx': `import Part from './part.mdx'\n\n${files['next.mdx']}\n<Part />\n`,
      'part.mdx': 'x\n',
    }
    const harness = buildToolHarness({ ...open, 'next.mdx': open['next.mdx'].replace(/---[\s\S]*?---\n\n/, '') })
    const { text } = await harness.call('edit', { path: 'next.mdx', old_str: '## Set up\n', new_str: '' })
    expect(text).toContain('start.mdx:5: /next#set-up')
  })

  it('does not name links if the anchor remains', async () => {
    const harness = buildToolHarness(files)
    const kept = [
      ['## Set up', '### Set up'],
      ['### Set up', '<a id="set-up" />\n\n## Install'],
    ]
    for (const [old_str, new_str] of kept)
      expect((await harness.call('edit', { path: 'next.mdx', old_str, new_str })).text).not.toContain('removes anchors')
  })

  it('is detected for insert, too', async () => {
    const harness = buildToolHarness(files)
    const { text } = await harness.call('insert', { path: 'next.mdx', insert_line: 4, insert_text: '```' })
    expect(text).toContain('start.mdx:5: /next#set-up')
  })
})
