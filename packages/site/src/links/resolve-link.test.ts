import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { readRepository } from '../move/read-repository.ts'
import { resolvePageLink } from './resolve-page-link.ts'

async function judge(files: Files, page: string, href: string, notation?: 'ref'): Promise<string> {
  const { index } = await readRepository(buildMemoryWorkspace(files))
  const { verdict, doubt } = resolvePageLink(
    index,
    page,
    notation === undefined ? { kind: 'link', href } : { kind: 'link', notation, href },
  )
  return verdict === 'unknown' ? `${verdict}: ${doubt}` : verdict
}

const mintlify: Files = {
  'docs.json': '{"navigation":{"pages":["a","guides/b"]}}',
  'a.mdx': '# A\n',
  'guides/b.mdx': '# B\n',
  'img/x.png': 'png',
  'snippets/s.mdx': 's\n',
}
const docusaurus: Files = {
  'docusaurus.config.js': "module.exports = { presets: [['classic', {}]], plugins: findPlugins() }\n",
  'docs/a.md': '# A\n',
  'docs/x/b.md': '# B\n',
  'static/img/x.png': 'png',
}
const partial: Files = {
  'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }\n",
  'docs/_part.md': '# A\n',
}
const vitepress = (redirects: string): Files => ({
  '.vitepress/config.js': 'export default {}\n',
  'a.md': '# A\n',
  'x/b.md': '# B\n',
  'public/_redirects': redirects,
})
const based: Files = {
  '.vitepress/config.js': "export default { base: '/a/' }\n",
  'a.md': '# A\n',
  'x/b.md': '# B\n',
}
const gitbook: Files = { '.gitbook.yaml': 'root: ./docs\n', 'docs/SUMMARY.md': '* [A](a.md)\n', 'docs/a.md': '# A\n' }
const editions: Files = {
  'book.toml': '[book]\n',
  'src/SUMMARY.md': '- [A](a.md)\n',
  'src/a.md': '# A\n',
  'old/book.toml': '[book]\n',
  'old/src/SUMMARY.md': '- [A](a.md)\n',
  'old/src/img/x.png': 'png',
}
const hugo: Files = {
  'hugo.toml': 'baseURL = "https://a.test/"\n',
  'content/a.md': '# A\n',
  'content/x/b.md': '# B\n',
}
const mkdocs: Files = { 'mkdocs.yml': 'site_name: x\n', 'docs/a.md': '# A\n', 'docs/x/b.md': '# B\n' }
const fern: Files = {
  'fern/docs.yml': 'navigation:\n  - page: A\n    path: ./a.mdx\n',
  'fern/a.mdx': '# A\n',
  'fern/assets/x.png': 'png',
}

describe('a link', () => {
  it.each<[what: string, files: Files, page: string, href: string, expected: string]>([
    ['to a folder with pages is valid in Mintlify', mintlify, 'a.mdx', '/guides', 'yes'],
    ['to a folder with a slash', mintlify, 'a.mdx', '/guides/', 'yes'],
    ['to a folder without pages', mintlify, 'a.mdx', '/img', 'no'],
    ['to the folder of snippets', mintlify, 'a.mdx', '/snippets', 'no'],
    ['without a dot is relative to the root in Mintlify', mintlify, 'guides/b.mdx', 'img/x.png', 'yes'],
    ['with a dot is not', mintlify, 'guides/b.mdx', './img/x.png', 'no'],
    ['to a folder is not valid in VitePress', vitepress(''), 'a.md', '/x', 'no'],
    ['to a file is relative to the page', mkdocs, 'docs/a.md', '../x/b.md', 'no'],
    ['to a file in VitePress', vitepress(''), 'x/b.md', '../a.md', 'yes'],
    ['to a page with too many parents, which browsers ignore', vitepress(''), 'a.md', '../x/b', 'yes'],
    ['to nothing with too many parents', vitepress(''), 'x/b.md', '../../x/gone', 'no'],
    ['to another site on the same host', based, 'a.md', '../other', 'unknown: link'],
    ['to an own page at the wrong depth', based, 'a.md', '../x/b', 'unknown: site'],
    ['to a file outside a space of GitBook', gitbook, 'docs/a.md', '../gone/', 'no'],
    ['to a missing image that another site has', editions, 'src/a.md', 'img/x.png', 'no'],
    ['to a missing folder in GitBook', gitbook, 'docs/a.md', './gone/', 'no'],
    ['to a missing file in GitBook', gitbook, 'docs/a.md', './gone.pdf', 'no'],
    ['to a missing URL in MkDocs', mkdocs, 'docs/x/b.md', '../gone/', 'no'],
    ['to a file above the root', vitepress(''), 'a.md', '../std/x.html', 'no'],
    ['to a URL below the page in VitePress', vitepress(''), 'x/b.md', '../b', 'no'],
    ['with a placeholder', vitepress(''), 'a.md', 'ENGLISH_URL', 'unknown: link'],
    ['without a dot may start at the docs folder in Docusaurus', docusaurus, 'docs/x/b.md', 'a.md', 'yes'],
    ['to a missing file in a site with unknown URLs', docusaurus, 'docs/a.md', './gone.md', 'no'],
    ['to a missing URL in a site with unknown URLs', docusaurus, 'docs/a.md', '/docs/gone', 'unknown: site'],
    ['from a partial to a URL', partial, 'docs/_part.md', 'next', 'unknown: link'],
    ['from a partial to a missing page', partial, 'docs/_part.md', 'gone.md', 'no'],
    ['from a partial to a missing image', partial, 'docs/_part.md', 'gone.png', 'no'],
    ['to a missing image in a site with unknown URLs', docusaurus, 'docs/a.md', '/img/y.png', 'no'],
    ['to an image in a public folder', docusaurus, 'docs/a.md', '/img/x.png', 'yes'],
    ['to an image in Fern', fern, 'fern/a.mdx', '/assets/x.png', 'yes'],
    ['to a missing image in Fern', fern, 'fern/a.mdx', '/assets/y.png', 'no'],
    ['to a missing absolute image in MkDocs', mkdocs, 'docs/a.md', '/img/y.png', 'unknown: site'],
  ])('%s', async (_, files, page, href, expected) => {
    expect(await judge(files, page, href)).toBe(expected)
  })
})

describe('a reference of Hugo', () => {
  it.each<[what: string, href: string, expected: string]>([
    ['to a page', 'x/b', 'yes'],
    ['to a section without an index page', '/x', 'unknown: link'],
    ['to generated pages', '/tags/a', 'unknown: link'],
    ['to a missing page', 'gone.md', 'no'],
  ])('%s', async (_, href, expected) => {
    expect(await judge(hugo, 'content/a.md', href, 'ref')).toBe(expected)
  })
})

describe('a URL with a redirect pattern', () => {
  it.each<[redirects: string, href: string, expected: string]>([
    ['/* /404/ 404\n', '/gone', 'no'],
    ['/* /404.html\n/:lang/* /:lang/404/\n', '/de/gone', 'no'],
    ['/*.txt /files/:splat\n', '/gone', 'no'],
    ['/old/* /x/:splat\n', '/old/b', 'yes'],
    ['/old/* /x/:splat\n', '/old/c', 'no'],
    ['/old/* /x/:splat\n', '/older', 'no'],
    ['/old/* https://x.example/:splat\n', '/old/c', 'unknown: elsewhere'],
    ['/old/* /old/a/:splat\n', '/old/c', 'unknown: elsewhere'],
    ['/app/* /index.html 200\n', '/app/c', 'unknown: elsewhere'],
  ])('%j and %s', async (redirects, href, expected) => {
    expect(await judge(vitepress(redirects), 'a.md', href)).toBe(expected)
  })
})
