import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planHeading } from './plan-heading.ts'

interface Setup {
  readonly keepsAnchor?: boolean
  readonly explain?: (path: string) => string | null
}

async function rename(
  files: Record<string, string>,
  [page, heading, newHeading]: readonly [string, string, string],
  { keepsAnchor = false, explain = () => null }: Setup = {},
) {
  const workspace = buildMemoryWorkspace(files)
  const plan = await planHeading(workspace, { page, heading, newHeading, keepsAnchor }, explain)
  await applyMove(workspace, new Map(), plan.writes)
  return { plan, text: (path: string) => workspace.text(path), workspace }
}

const PLAIN = { 'a.md': '# A\n\n## Old name\n\nText.\n' }

describe('rewrites links to the anchor', () => {
  it.each<[form: string, page: string, before: string, after: string]>([
    ['in the same page', 'a.md', '[x](#old-name)', '[x](#new-name)'],
    ['in another page', 'b.md', '[x](a.md#old-name)', '[x](a.md#new-name)'],
    ['in another folder', 'c/b.md', '[x](../a.md#old-name "Title")', '[x](../a.md#new-name "Title")'],
    ['with a query', 'b.md', '[x](a.md?y#old-name)', '[x](a.md?y#new-name)'],
    ['in a definition', 'b.md', '[x]\n\n[x]: a.md#old-name', '[x]\n\n[x]: a.md#new-name'],
    ['in HTML', 'b.md', '<a href="a.md#old-name">x</a>', '<a href="a.md#new-name">x</a>'],
    ['with a different spelling', 'b.md', '[x](a.md#Old-Name)', '[x](a.md#new-name)'],
    ['to another page', 'b.md', '[x](c.md#old-name)', '[x](c.md#old-name)'],
    ['to another heading', 'b.md', '[x](a.md#a)', '[x](a.md#a)'],
    ['in code', 'b.md', '`[x](a.md#old-name)`', '`[x](a.md#old-name)`'],
  ])('%s', async (_, page, before, after) => {
    const old = page === 'a.md' ? PLAIN['a.md'] : ''
    const files = { ...PLAIN, 'c.md': '# Old name\n', [page]: `${old}${before}\n` }
    const { text } = await rename(files, ['a.md', 'Old name', 'New name'])
    const expected = old.replace('Old name', 'New name')
    expect(text(page)).toBe(`${expected}${after}\n`)
    expect(text('a.md')).toContain('## New name\n')
  })

  it('in JSX, through redirects, in navigation entries and in redirects', async () => {
    const docs =
      '{"navigation":{"pages":["a","b"]},\n"redirects":[{"source":"/was","destination":"/a"},{"source":"/x","destination":"/a#old-name"}]}\n'
    const files = {
      'docs.json': docs,
      'a.mdx': '## Old name\n\n<Card href="#old-name" />\n',
      'b.mdx': '[x](/was#old-name) <a href={"/a#old-name"}>y</a>\n',
    }
    const { text, plan } = await rename(files, ['a.mdx', 'Old name', 'New name'])
    expect(text('a.mdx')).toBe('## New name\n\n<Card href="#new-name" />\n')
    expect(text('b.mdx')).toBe('[x](/was#new-name) <a href={"/a#new-name"}>y</a>\n')
    expect(text('docs.json')).toBe(docs.replace('old-name', 'new-name'))
    expect([...plan.links]).toEqual([
      ['a.mdx', 1],
      ['b.mdx', 2],
    ])
    expect([...plan.entries]).toEqual([['docs.json', 1]])
  })

  it('in SUMMARY.md and in the sidebar of VitePress', async () => {
    const book = { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [A](a.md)\n- [B](a.md#old-name)\n' }
    const first = await rename({ ...book, 'src/a.md': PLAIN['a.md'] }, ['src/a.md', 'Old name', 'New name'])
    expect(first.text('src/SUMMARY.md')).toBe('- [A](a.md)\n- [B](a.md#new-name)\n')
    const config = "export default { themeConfig: { sidebar: [{ text: 'O', link: '/a#old-name' }] } }\n"
    const second = await rename({ '.vitepress/config.mts': config, ...PLAIN }, ['a.md', 'Old name', 'New name'])
    expect(second.text('.vitepress/config.mts')).toBe(config.replace('old-name', 'new-name'))
  })

  it('with CRLF line endings and a byte order mark', async () => {
    const files = { 'a.md': '\uFEFF# A\r\n\r\n## Old name ##\r\n\r\n[x](#old-name)\r\n' }
    const { text } = await rename(files, ['a.md', 'Old name', 'New name'])
    expect(text('a.md')).toBe('\uFEFF# A\r\n\r\n## New name ##\r\n\r\n[x](#new-name)\r\n')
  })
})

describe('ids by framework', () => {
  it.each<[framework: string, config: Record<string, string>, page: string, heading: string, id: string]>([
    ['GitHub', {}, 'a.md', 'What’s new in 2.0?', 'whats-new-in-20'],
    ['MkDocs', { 'mkdocs.yml': 'site_name: x\n' }, 'docs/a.md', 'Ünder_score: 2.0!', 'under_score-20'],
    ['VitePress', { '.vitepress/config.ts': 'export default {}\n' }, 'a.md', '1. Été & co.', '_1-ete-co'],
    ['mdBook', { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [A](a.md)\n' }, 'src/a.md', 'A & `b_c`', 'a--b_c'],
    [
      'Mintlify',
      { 'docs.json': '{"navigation":{"pages":["a"]}}' },
      'a.mdx',
      "It's OAuth 2.0, new?",
      'it-s-oauth-2-0-new',
    ],
    ['Docusaurus', { 'docusaurus.config.js': 'module.exports = {}\n' }, 'docs/a.md', 'A / B', 'a--b'],
  ])('%s', async (_, config, page, heading, id) => {
    const files = { ...config, [page]: '# A\n\n## Old name\n\n[x](#old-name)\n' }
    const { text, plan } = await rename(files, [page, 'old-name', heading])
    expect(plan).toMatchObject({ oldText: 'Old name', oldAnchor: 'old-name', newAnchor: id, line: 3 })
    expect(text(page)).toBe(`# A\n\n## ${heading}\n\n[x](#${id})\n`)
  })

  it('GitHub ids are used if the existing links have them', async () => {
    const files = { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': '# A\n\n## C++ & C\n\n[x](#c--c)\n' }
    const { text } = await rename(files, ['docs/a.md', 'C++ & C', 'D & C'])
    expect(text('docs/a.md')).toBe('# A\n\n## D & C\n\n[x](#d--c)\n')
  })
})

describe('repeated headings', () => {
  const page = (...names: string[]) => `${names.map((name) => `## ${name}\n`).join('\n')}\n`
  it('links to later headings follow the new numbers', async () => {
    const links = '[1](#example) [2](#example-1) [3](#example-2)\n'
    const files = { 'a.md': `${page('Example', 'Example', 'Example')}${links}` }
    const { text } = await rename(files, ['a.md', '#example-1', 'Other'])
    expect(text('a.md')).toBe(`${page('Example', 'Other', 'Example')}[1](#example) [2](#other) [3](#example-1)\n`)
  })

  it('links to the heading that had the new name follow its new number', async () => {
    const files = { 'a.md': `${page('One', 'Two')}[1](#one) [2](#two)\n` }
    const { text } = await rename(files, ['a.md', 'One', 'Two'])
    expect(text('a.md')).toBe(`${page('Two', 'Two')}[1](#two) [2](#two-1)\n`)
  })

  it('MkDocs separates the number with an underscore, and Mintlify starts with 2', async () => {
    const mkdocs = { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': `${page('X', 'X')}[x](#x_1)\n` }
    expect((await rename(mkdocs, ['docs/a.md', '#x_1', 'Y'])).text('docs/a.md')).toContain('[x](#y)')
    const mintlify = { 'docs.json': '{"navigation":{"pages":["a"]}}', 'a.mdx': `${page('X', 'X')}[x](#x-2)\n` }
    expect((await rename(mintlify, ['a.mdx', '#x-2', 'Y'])).text('a.mdx')).toContain('[x](#y)')
  })

  it('the text alone does not select one of them', async () => {
    await expect(rename({ 'a.md': page('X', 'X') }, ['a.md', 'X', 'Y'])).rejects.toThrow(
      'several headings with this text. Select one by its anchor:\n1: X (#x)\n3: X (#x-1)',
    )
  })
})

describe('explicit ids', () => {
  it.each<[name: string, config: Record<string, string>, page: string, mark: string]>([
    ['VitePress', { '.vitepress/config.ts': 'export default {}\n' }, 'a.md', ' {#old-name}'],
    ['Docusaurus', { 'docusaurus.config.js': 'module.exports = {}\n' }, 'docs/a.md', ' {#old-name}'],
    ['MkDocs', { 'mkdocs.yml': 'markdown_extensions: [attr_list]\n' }, 'docs/a.md', ' { #old-name }'],
    ['Nextra', { '_meta.json': '{"a":"A"}' }, 'a.mdx', ' [#old-name]'],
  ])('%s: keep_anchor adds the old anchor', async (_, config, page, mark) => {
    const files = { ...config, [page]: '## Old name\n\n[x](#old-name)\n' }
    const { text, plan } = await rename(files, [page, 'Old name', 'New name'], { keepsAnchor: true })
    expect(text(page)).toBe(`## New name${mark}\n\n[x](#old-name)\n`)
    expect(plan).toMatchObject({ newAnchor: 'old-name' })
    expect(plan.links.size).toBe(0)
  })

  it('an explicit id is kept', async () => {
    const files = { 'docusaurus.config.js': '', 'docs/a.md': '## Old {#mine}\n\n[x](#mine)\n' }
    expect((await rename(files, ['docs/a.md', 'Old', 'New'])).text('docs/a.md')).toBe('## New {#mine}\n\n[x](#mine)\n')
  })

  it('an id in a tag is kept', async () => {
    const files = { 'a.md': '<a id="old-name"></a>\n\n## Old name\n\n[x](#old-name)\n' }
    const { text } = await rename(files, ['a.md', 'Old name', 'New'])
    expect(text('a.md')).toBe('<a id="old-name"></a>\n\n## New\n\n[x](#old-name)\n')
  })

  it.each<[name: string, files: Record<string, string>, page: string, reason: RegExp]>([
    ['without a syntax', PLAIN, 'a.md', /has no syntax for the id of a heading/],
    ['without attr_list', { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': PLAIN['a.md'] }, 'docs/a.md', /attr_list/],
    [
      'of a repeated heading',
      { 'docusaurus.config.js': '', 'docs/a.md': '# Old name\n\n## Old Name\n' },
      'docs/a.md',
      /cannot be kept/,
    ],
  ])('an anchor %s cannot be kept', async (_, files, page, reason) => {
    await expect(rename(files, [page, 'Old name', 'New'], { keepsAnchor: true })).rejects.toThrow(reason)
  })
})

it('links in protected pages are reported', async () => {
  const files = { ...PLAIN, 'fr/b.md': 'x\n\n[x](../a.md#old-name)\n' }
  const explain = (path: string) => (path.startsWith('fr/') ? 'protected' : null)
  const { plan, text } = await rename(files, ['a.md', 'Old name', 'New'], { explain })
  expect(plan.left).toEqual(['fr/b.md:3: ../a.md#old-name (protected)'])
  expect(text('fr/b.md')).toBe(files['fr/b.md'])
})

describe('nothing is changed', () => {
  it.each<[name: string, text: string, heading: string, newHeading: string, reason: RegExp]>([
    ['for a missing heading', '# A\n', 'B', 'C', /no heading "B"[\s\S]*1: A \(#a\)/],
    ['for the same text', '# A\n', 'A', 'A', /already has this text/],
    ['for an empty text', '# A\n', 'A', ' ', /one line/],
    ['for two lines', '# A\n', 'A', 'B\n# C', /one line/],
    ['for an id', '# A\n', 'A', 'B {#c}', /one line/],
    ['for a text without letters', '# A\n', 'A', '???', /no anchor/],
    ['for a link', '# A\n', 'A', '[B](c.md)', /link/],
    ['for a heading with a link', '# [A](b.md)\n', 'A', 'B', /contains a link/],
    ['for a setext heading that becomes a list', 'A\n===\n', 'A', '- B', /damage|parse/],
  ])('%s', async (_, text, heading, newHeading, reason) => {
    await expect(rename({ 'a.md': text }, ['a.md', heading, newHeading])).rejects.toThrow(reason)
  })

  it('for an expression in MDX', async () => {
    await expect(rename({ 'a.mdx': '# {x}\n' }, ['a.mdx', '', 'B'])).rejects.toThrow(/computes the text|no heading/)
    await expect(rename({ 'a.mdx': '# A\n' }, ['a.mdx', 'A', 'B {c}'])).rejects.toThrow(/one line/)
    await expect(rename({ 'a.mdx': '# A\n' }, ['a.mdx', 'A', 'B <c'])).rejects.toThrow(/one line/)
  })
})
