import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planDelete } from './plan-delete.ts'
import { planMove } from './plan-move.ts'

async function moveFiles(files: Record<string, string>, moves: Record<string, string>) {
  const workspace = buildMemoryWorkspace(files)
  const plan = await planMove(workspace, new Map(Object.entries(moves)), () => null)
  await applyMove(workspace, new Map(Object.entries(moves)), plan.writes)
  return { plan, text: (path: string) => workspace.text(path), left: plan.left.join('\n') }
}

/** Returns the moves of all files in a folder. */
const renameFolder = (files: Record<string, string>, from: string, to: string) =>
  Object.fromEntries(
    Object.keys(files).flatMap((path) => (path.startsWith(`${from}/`) ? [[path, to + path.slice(from.length)]] : [])),
  )

describe('a folder', () => {
  const site = (name: string) => ({
    [`${name}/mkdocs.yml`]: 'site_name: x\nnav:\n  - index.md\n',
    [`${name}/docs/index.md`]: '# Home\n',
  })

  it('with a site can be renamed so that it sorts after another site', async () => {
    const files = { ...site('a'), ...site('b'), 'README.md': '[a](a/docs/index.md)\n' }
    const { text } = await moveFiles(files, renameFolder(files, 'a', 'c'))
    expect(text('README.md')).toBe('[a](c/docs/index.md)\n')
  })

  it('with the first _meta file of a Nextra site can be moved', async () => {
    const files = {
      'next.config.js': "export default require('nextra')()\n",
      'pages/a/_meta.json': '{ "one": "One" }\n',
      'pages/a/one.mdx': '# One\n',
      'pages/b/_meta.json': '{ "two": "Two" }\n',
      'pages/b/two.mdx': '[one](/a/one)\n',
    }
    const { text } = await moveFiles(files, renameFolder(files, 'pages/a', 'pages/c'))
    expect(text('pages/b/two.mdx')).toBe('[one](/c/one)\n')
  })
})

describe('a list that a site reads for two folders', () => {
  const docusaurus = {
    'docusaurus.config.js': `export default {
  title: 'x',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],
  plugins: [['@docusaurus/plugin-content-docs', { id: 'sdk', path: 'sdk', routeBasePath: 'sdk', sidebarPath: './sidebars.js' }]],
}
`,
    'sidebars.js': "export default { main: ['start', 'more'] }\n",
    'docs/start.md': '# Start\n',
    'docs/more.md': '# More\n',
    'sdk/start.md': '# Start\n',
  }
  const vitepress = {
    '.vitepress/config.mts': `const items = [{ text: 'Start', link: 'start' }, { text: 'More', link: 'more' }]
export default { themeConfig: { sidebar: { '/a/': { base: '/a/', items }, '/b/': { base: '/b/', items } } } }
`,
    'a/start.md': '# Start\n',
    'a/more.md': '# More\n',
    'b/start.md': '# Start\n',
  }

  it.each([
    ['Docusaurus', docusaurus, 'docs', 'sidebars.js', 'sdk/start.md'],
    ['VitePress', vitepress, 'a', '.vitepress/config.mts', 'b/start.md'],
  ])('is changed only if one page has the name (%s)', async (_, files: Record<string, string>, folder, file, other) => {
    const both = await moveFiles(files, { [`${folder}/start.md`]: `${folder}/begin.md` })
    expect(both.text(file)).toBe(files[file])
    expect(both.left).toContain(`the entry also refers to ${other}`)
    const one = await moveFiles(files, { [`${folder}/more.md`]: `${folder}/other.md` })
    expect(one.text(file)).toBe(files[file]?.replace("'more'", "'other'"))
    const deleted = await planDelete(buildMemoryWorkspace(files), `${folder}/start.md`, () => null, true)
    expect(deleted.writes.size).toBe(0)
    expect(deleted.left).toHaveLength(1)
    const removed = await planDelete(buildMemoryWorkspace(files), `${folder}/more.md`, () => null, true)
    expect([...removed.entries]).toEqual([[file, 1]])
  })
})

describe('a move is refused', () => {
  const book = { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [One](one.md)\n', 'src/one.md': '# One\n' }
  it.each<[name: string, files: Record<string, string>, moves: Record<string, string>, reason: RegExp]>([
    [
      'to a page with the same name and another extension',
      { 'docs.json': '{"navigation":{"pages":["old","new"]}}\n', 'old.md': 'x\n', 'new.mdx': 'x\n' },
      { 'old.md': 'new.md' },
      /new\.md would have the same URL as new\.mdx \(\/new\)/,
    ],
    [
      'to the URL of a folder',
      { 'mkdocs.yml': 'site_name: x\n', 'docs/old.md': 'x\n', 'docs/new/index.md': 'x\n' },
      { 'docs/old.md': 'docs/new.md' },
      /docs\/new\.md would have the same URL as docs\/new\/index\.md/,
    ],
    [
      'to SUMMARY.md',
      { '.gitbook.yaml': 'root: ./\n', 'one.md': '[two](two.md)\n', 'two.md': 'x\n' },
      { 'one.md': 'SUMMARY.md' },
      /: SUMMARY\.md would be read as navigation/,
    ],
    ['of the configuration', book, { 'book.toml': 'book.txt' }, /book\.toml would no longer be found/],
  ])('%s', async (_, files, moves, reason) => {
    await expect(moveFiles(files, moves)).rejects.toThrow(reason)
  })

  it('if a link in another page would lead to the moved page', async () => {
    const files = { 'p.md': '[x](a/new)\n', 'a/new/README.md': '# X\n', 'old.md': '# Old\n' }
    await expect(moveFiles(files, { 'old.md': 'a/new.md' })).rejects.toThrow(
      /p\.md: the link a\/new would lead to a\/new\.md/,
    )
  })
})

it('an image of a set may have spaces in its name', async () => {
  const page = (path: string) => `# A\n\n<picture><source srcset="${path}" media="x"></picture>\n`
  const files = {
    'SUMMARY.md': '* [A](a.md)\n',
    'a.md': page('.gitbook/assets/b (1).svg'),
    '.gitbook/assets/b (1).svg': 'x',
  }
  const { text } = await moveFiles(files, { 'a.md': 'docs/a.md' })
  expect(text('docs/a.md')).toBe(page('../.gitbook/assets/b%20%281%29.svg'))
})

it('an image may have the name of a page', async () => {
  const files = { 'docs.json': '{"navigation":{"pages":["a"]}}\n', 'a.mdx': '![i](/i.png)\n', 'i.png': 'x' }
  expect((await moveFiles(files, { 'i.png': 'a.png' })).text('a.mdx')).toBe('![i](/a.png)\n')
})

describe('anchors of navigation entries are kept', () => {
  it.each<[file: string, files: Record<string, string>, from: string, to: string, expected: string]>([
    [
      '.vitepress/config.mts',
      {
        '.vitepress/config.mts': "export default { themeConfig: { sidebar: [{ text: 'O', link: '/old#part' }] } }\n",
        'old.md': '# Old\n',
      },
      'old.md',
      'new.md',
      "'/new#part'",
    ],
    [
      'src/SUMMARY.md',
      { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [One](old.md#part)\n', 'src/old.md': '# Old\n' },
      'src/old.md',
      'src/new.md',
      '(new.md#part)',
    ],
  ])('in %s', async (file, files, from, to, expected) => {
    const { text, plan } = await moveFiles(files, { [from]: to })
    expect(text(file)).toContain(expected)
    expect(plan.navigation.entries.get(file)).toBe(1)
  })
})

it('links and reference definitions in SUMMARY.md are rewritten', async () => {
  const summary = '# Summary\n\n- [One](old.md)\n- [Again][ref]\n- [Two](two.md)\n\n[ref]: old.md#a\n'
  const files = { 'book.toml': '[book]\n', 'src/SUMMARY.md': summary, 'src/old.md': '# Old\n', 'src/two.md': '# T\n' }
  const { text, plan } = await moveFiles(files, { 'src/old.md': 'src/renamed.md' })
  expect(text('src/SUMMARY.md')).toBe(summary.replaceAll('old.md', 'renamed.md'))
  expect([...plan.links]).toEqual([['src/SUMMARY.md', 1]])
})
