import { describe, expect, it } from 'vitest'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'

const path = '.vitepress/config.ts'
const config = "export default { vite: { plugins: [] }, themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } }\n"
const files = { [path]: config, 'a.md': '# A\n', 'b.md': '# B\n', '.vitepress/theme.ts': 'export default {}\n' }
const settings = { navigationFiles: new Set([path]) }

describe('the configuration of a site', () => {
  it('can be edited in its navigation', async () => {
    const harness = buildToolHarness(files, settings)
    const edit = { path, old_str: "link: '/a' }", new_str: "link: '/a' }, { text: 'B', link: '/b' }" }
    expect(await harness.call('edit', edit)).toMatchObject({ isError: false })
    expect(harness.workspace.text(path)).toContain("link: '/b'")
  })

  it.each<[name: string, tool: string, input: object, text: RegExp]>([
    [
      'an edit of code',
      'edit',
      { path, old_str: '[]', new_str: '[run()]' },
      /Only the navigation[\s\S]*Nothing was changed/,
    ],
    [
      'an inserted line',
      'insert',
      { path, insert_line: 0, insert_text: "import './x'" },
      /code outside of the navigation/,
    ],
    ['a computed link', 'edit', { path, old_str: "'/a'", new_str: 'x' }, /code in the navigation/],
    ['its deletion', 'delete', { path }, /protected/],
    ['its move', 'move', { path, new_path: 'config.ts' }, /protected/],
    ['another hidden file', 'edit', { path: '.vitepress/theme.ts', old_str: '{}', new_str: '[]' }, /protected/],
    ['a new file next to it', 'create', { path: '.vitepress/x.ts', file_text: 'x' }, /protected/],
  ])('%s is rejected', async (_, tool, input, expected) => {
    const harness = buildToolHarness(files, settings)
    expect(await harness.call(tool, input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
    expect(await harness.workspace.changes()).toEqual([])
  })

  it('follows a moved page', async () => {
    const harness = buildToolHarness(files, settings)
    const { text } = await harness.call('move', { path: 'a.md', new_path: 'c/a.md' })
    expect(text).toContain(`Renamed 1 navigation entry in ${path}.`)
    expect(harness.workspace.text(path)).toBe(config.replace("'/a'", "'/c/a'"))
  })

  it('follows a moved page outside of its navigation, and may do so at the end', async () => {
    const footer = config.replace('plugins: []', "plugins: [], footer: { href: '/a' }")
    const harness = buildToolHarness({ ...files, [path]: footer, 'x.ts': "go('/a')\n" }, settings)
    const { text } = await harness.call('move', { path: 'a.md', new_path: 'c/a.md' })
    expect(text).toContain(`Rewrote 1 other reference in ${path}.`)
    expect(text).toContain('Also mentioned in 1 line that still contains the old path or address')
    expect(text).toContain('x.ts:1: /a')
    expect(harness.workspace.text(path)).toBe(footer.replaceAll("'/a'", "'/c/a'"))
    expect(await harness.call('finish', { outcome: 'changed', title: 'Move A' })).toMatchObject({ isError: false })
  })

  it('can be edited where it names a page, if the new page exists', async () => {
    const footer = config.replace('plugins: []', "plugins: [], footer: { href: '/a' }")
    const harness = buildToolHarness({ ...files, [path]: footer }, settings)
    const change = (page: string) => harness.call('edit', { path, old_str: "href: '/a'", new_str: `href: '${page}'` })
    expect(await change('/c')).toEqual({ isError: true, text: expect.stringMatching(/addresses and paths of pages/) })
    expect(await change('/b')).toMatchObject({ isError: false })
    expect(await harness.call('finish', { outcome: 'changed', title: 'Link B' })).toMatchObject({ isError: false })
    await harness.call('delete', { path: 'b.md' })
    const finished = await harness.call('finish', { outcome: 'changed', title: 'Link B' })
    expect(finished).toEqual({ isError: true, text: expect.stringMatching(/addresses and paths of pages/) })
  })

  it('lists an entry of a moved page that cannot be changed safely', async () => {
    const computed = "const page = '/a'\nexport default { themeConfig: { sidebar: [{ text: 'A', link: page }] } }\n"
    const harness = buildToolHarness({ ...files, [path]: computed }, settings)
    const { text } = await harness.call('move', { path: 'a.md', new_path: 'c/a.md' })
    expect(text).toMatch(/Not rewritten[\s\S]*config\.ts:1: entry "\/a" \(Only the navigation/)
    expect(harness.workspace.text(path)).toBe(computed)
  })

  it('is protected by the settings of a project', async () => {
    for (const narrow of [{ deny: ['.vitepress/**'] }, { writable: ['docs/**'] }]) {
      const harness = buildToolHarness(files, { ...settings, ...narrow })
      expect(await harness.call('edit', { path, old_str: "'/a'", new_str: "'/b'" })).toMatchObject({ isError: true })
    }
  })

  it('is protected if it is an agent instruction file or a manifest', async () => {
    const names = new Set(['package.json', '.github/nav.json'])
    const harness = buildToolHarness({ 'package.json': '{}', '.github/nav.json': '{}' }, { navigationFiles: names })
    for (const name of names)
      expect((await harness.call('edit', { path: name, old_str: '{}', new_str: '[]' })).text).toMatch(/protected/)
  })
})

it('finish lists removed entries, and rejects two redirects with the same source', async () => {
  const docs = '{"navigation":{"pages":["p","q"]},"redirects":[{"source":"/x","destination":"/p"}]}\n'
  const harness = buildToolHarness({ 'docs.json': docs, 'p.mdx': 'x\n', 'q.mdx': 'x\n' })
  const finish = { outcome: 'changed', title: 'Change', body: 'Changed.' }
  await harness.call('edit', { path: 'docs.json', old_str: ',"q"', new_str: '' })
  const { text } = await harness.call('finish', finish)
  expect(text).toMatch(/Confirm only if the request needs the following:\ndocs\.json: the entry of q\.mdx is removed/)
  await harness.call('edit', { path: 'docs.json', old_str: '}]', new_str: '},{"source":"/x","destination":"/q"}]' })
  expect(await harness.call('finish', finish)).toEqual({
    isError: true,
    text: expect.stringMatching(
      /Not finished: the change introduces issues[\s\S]*Several redirects have the same source/,
    ),
  })
})
