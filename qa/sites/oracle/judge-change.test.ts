import { describe, expect, it } from 'vitest'
import { buildSite } from '../model/build-site.ts'
import { buildTree } from '../test-support/build-tree.ts'
import { judgeChange } from './judge-change.ts'

type Files = Readonly<Record<string, string>>

const LAYOUT = { framework: 'mdbook', content: ['src'] }
const BEFORE = {
  'src/SUMMARY.md': '# Summary\n\n- [Start](start.md)\n- [Threads](threads.md)\n- [Channels](channels.md)\n',
  'src/start.md': '# Start\n\nSee [threads](threads.md#spawn), [channels](./channels.md) and `threads.md`.\n',
  'src/threads.md': '# Threads\n\n## Spawn\n\nBack to [start](start.md).\n',
  'src/channels.md': '# Channels\n',
  'book.toml': '[book]\nsrc = "src"\n\n[output.html.redirect]\n"/old.html" = "threads.html"\n',
}
const MOVED = {
  'src/SUMMARY.md': '# Summary\n\n- [Start](start.md)\n- [Threads](use/threads.md)\n- [Channels](channels.md)\n',
  'src/start.md': '# Start\n\nSee [threads](use/threads.md#spawn), [channels](./channels.md) and `threads.md`.\n',
  'src/use/threads.md': '# Threads\n\n## Spawn\n\nBack to [start](../start.md).\n',
  'src/channels.md': BEFORE['src/channels.md'],
  'book.toml': BEFORE['book.toml'].replace('"threads.html"', '"use/threads.html"'),
}
const MOVES = new Map([['src/threads.md', 'src/use/threads.md']])

function judge(before: Files, after: Files, moves: ReadonlyMap<string, string | null>, layout = LAYOUT) {
  const old = buildSite(buildTree(before), layout)
  const now = buildSite(buildTree(after), layout, old)
  return judgeChange({ before: old, after: now, moves }, true).map(({ kind, file, line }) =>
    line === null ? `${kind} ${file}` : `${kind} ${file}:${line}`,
  )
}

describe('judgeChange', () => {
  it('accepts a move whose references are all rewritten', () => {
    expect(judge(BEFORE, MOVED, MOVES)).toEqual([])
  })

  it.each<readonly [string, Files, string]>([
    ['a stale link', { 'src/start.md': BEFORE['src/start.md'] }, 'stale src/start.md:3'],
    ['a lost anchor', { 'src/start.md': MOVED['src/start.md'].replace('#spawn', '') }, 'damage src/start.md:3'],
    [
      'a link that leads to another page',
      { 'src/start.md': MOVED['src/start.md'].replace('use/threads.md', 'channels.md') },
      'stale src/start.md:3',
    ],
    [
      'a stale relative link in the moved page',
      { 'src/use/threads.md': BEFORE['src/threads.md'] },
      'stale src/use/threads.md:5',
    ],
    [
      'code that changed',
      { 'src/start.md': MOVED['src/start.md'].replace('`threads.md`', '`use.md`') },
      'damage src/start.md:3',
    ],
    ['an unrelated byte', { 'src/channels.md': '# Channel\n' }, 'damage src/channels.md:1'],
    ['other line ends', { 'src/channels.md': '# Channels\r\n' }, 'damage src/channels.md:1'],
    [
      'a line that is gone',
      { 'src/start.md': MOVED['src/start.md'].replace('# Start\n', '') },
      'damage src/start.md:1',
    ],
    ['a stale entry', { 'src/SUMMARY.md': BEFORE['src/SUMMARY.md'] }, 'stale src/SUMMARY.md'],
    [
      'an entry written at a stale offset',
      { 'src/SUMMARY.md': MOVED['src/SUMMARY.md'].replace('use/threads.md', 'use/threads.mdads.md') },
      'damage src/SUMMARY.md:4',
    ],
    [
      'a lost entry of another page',
      { 'src/SUMMARY.md': MOVED['src/SUMMARY.md'].replace('- [Channels](channels.md)\n', '') },
      'damage src/SUMMARY.md:4',
    ],
    ['a stale redirect', { 'book.toml': BEFORE['book.toml'] }, 'stale book.toml'],
    ['a file that does not parse', { 'book.toml': MOVED['book.toml'].replace('"src"', '"src') }, 'damage book.toml'],
    ['a file that was added', { 'src/new.md': '# New\n' }, 'damage src/new.md'],
  ])('reports %s', (_, files, expected) => {
    expect(judge(BEFORE, { ...MOVED, ...files }, MOVES)).toContain(expected)
  })

  const deletion = new Map([['src/channels.md', null]])
  const { 'src/channels.md': _, ...rest } = BEFORE
  const deleted = { ...rest, 'src/SUMMARY.md': BEFORE['src/SUMMARY.md'].replace('- [Channels](channels.md)\n', '') }

  it('accepts a deletion with its entry, which leaves links in other pages', () => {
    expect(judge(BEFORE, deleted, deletion)).toEqual([])
  })

  it.each<readonly [string, Files, string]>([
    ['an entry that remains', { 'src/SUMMARY.md': BEFORE['src/SUMMARY.md'] }, 'stale src/SUMMARY.md'],
    [
      'the entry of the next page',
      { 'src/SUMMARY.md': deleted['src/SUMMARY.md'].replace('- [Threads](threads.md)\n', '') },
      'damage src/SUMMARY.md',
    ],
    ['a changed page', { 'src/start.md': '# Start\n' }, 'damage src/start.md:3'],
  ])('reports %s of a deletion', (_name, files, expected) => {
    expect(judge(BEFORE, { ...deleted, ...files }, deletion)).toContain(expected)
  })

  describe('with the configuration of VitePress', () => {
    const layout = { framework: 'vitepress', content: ['docs/en'] }
    const config = (link: string, ignored: string) =>
      `export default {\n  a: [{ base: '/guide/', items: [{ text: 'A', link: '${link}' }] }],\n  b: ['${ignored}'],\n}\n`
    const before = {
      'docs/config.ts': config('first', 'guide/first.md'),
      'docs/en/guide/first.md': '# A\n',
      'docs/en/index.md': '[a](/guide/first)\n',
    }
    const toAfter = (link: string, ignored: string) => ({
      'docs/config.ts': config(link, ignored),
      'docs/en/guide/start.md': '# A\n',
      'docs/en/index.md': '[a](/guide/start)\n',
    })
    const moves = new Map([['docs/en/guide/first.md', 'docs/en/guide/start.md']])

    it('accepts the renamed end of an address and of a path', () => {
      expect(judge(before, toAfter('start', 'guide/start.md'), moves, layout)).toEqual([])
    })

    it.each([
      ['first', 'damage docs/config.ts'],
      ['last', ''],
    ])('accepts only the removal of the entry of a deleted page: %s', (kept, expected) => {
      const item = (name: string) => `\n  { text: '${name}', link: '${name}' },`
      const site = (items: string) => ({
        'docs/config.ts': `export default {\n  base: '/guide/',\n  a: [${items}\n] }\n`,
      })
      const pages = { 'docs/en/guide/last.md': '# B\n', 'docs/en/guide/first.md': '# A\n' }
      const { 'docs/en/guide/first.md': _first, ...rest } = pages
      const old = { ...site(item('first') + item('last')), ...pages }
      const now = { ...site(item(kept)), ...rest }
      const faults = judge(old, now, new Map([['docs/en/guide/first.md', null]]), layout)
      expect(faults.filter((fault) => fault.startsWith('damage'))).toEqual(expected === '' ? [] : [expected])
    })

    it.each([
      ['other', 'guide/start.md'],
      ['start', 'start.md'],
      ['start', 'guide/other.md'],
    ])('reports other changes: %s, %s', (link, ignored) => {
      expect(judge(before, toAfter(link, ignored), moves, layout)).not.toEqual([])
    })
  })

  it('separates the addresses of released pages in Docusaurus', () => {
    const layout = { framework: 'docusaurus', content: ['docs'] }
    const site = (name: string, href: string) => ({
      'website/docusaurus.config.js': `module.exports = { a: '/docs/b', c: '${href}' }\n`,
      'website/versioned_docs/version-1.0/b.md': '# B\n',
      'docs/a.md': `[b](/docs/b) [b](${href}) [b](./${name}.md)\n`,
      [`docs/${name}.md`]: '# B\n',
    })
    const moves = new Map([['docs/b.md', 'docs/c.md']])
    expect(judge(site('b', '/docs/next/b'), site('c', '/docs/next/c'), moves, layout)).toEqual([])
    expect(judge(site('b', '/docs/next/b'), site('c', '/docs/next/b'), moves, layout)).toContain('stale docs/a.md:1')
  })

  it('reads the addresses of versions in Docusaurus', () => {
    const folder = (version: string) => `versioned_docs/version-${version}`
    const layout = { framework: 'docusaurus', content: [folder('2'), folder('1')] }
    const site = (b: string, href: string) => ({
      [`${folder('2')}/a.md`]: `[b](/docs/${href})\n`,
      [`${folder('1')}/a.md`]: '[c](/docs/1/c)\n',
      [`${folder('1')}/c.md`]: '# C\n',
      [b]: '# B\n',
    })
    const before = site(`${folder('2')}/b.md`, 'b')
    const moves = new Map([[`${folder('2')}/b.md`, `${folder('1')}/b.md`]])
    expect(judge(before, site(`${folder('1')}/b.md`, '1/b'), moves, layout)).toEqual([])
    expect(judge(before, site(`${folder('1')}/b.md`, 'b'), moves, layout)).toEqual([`stale ${folder('2')}/a.md:1`])
  })

  it('follows the fallback of Starlight to the default language', () => {
    const layout = { framework: 'starlight', content: ['src/content/docs'] }
    const site = (name: string, href: string) => ({
      'src/content/docs/index.md': '# A\n',
      [`src/content/docs/${name}.md`]: '# B\n',
      'src/content/docs/fr/index.md': `[b](/fr/${href}/)\n`,
    })
    const moves = new Map([['src/content/docs/b.md', 'src/content/docs/c.md']])
    expect(judge(site('b', 'b'), site('c', 'c'), moves, layout)).toEqual([])
    expect(judge(site('b', 'b'), site('c', 'b'), moves, layout)).toEqual(['stale src/content/docs/fr/index.md:1'])
  })

  describe('with JSON navigation and redirects', () => {
    const layout = { framework: 'mintlify', content: [''] }
    const config = (page: string, redirects: string) =>
      `{\n  "navigation": { "pages": [\n    "index",\n    "${page}"\n  ] },\n  "redirects": [\n${redirects}  ]\n}\n`
    const before = { 'docs.json': config('guide', ''), 'index.mdx': '[guide](/guide)\n', 'guide.mdx': 'Words.\n' }
    const row = '    { "source": "/guide", "destination": "/manual" }\n'
    const after = { 'docs.json': config('manual', row), 'index.mdx': '[guide](/manual)\n', 'manual.mdx': 'Words.\n' }
    const moves = new Map([['guide.mdx', 'manual.mdx']])

    it('accepts changes of a file that the configuration inserts', () => {
      const part = (page: string) => `{ "pages": [\n  "${page}"\n] }\n`
      const own = { 'docs.json': '{ "navigation": { "$ref": "./en.json" } }\n' }
      const old = { ...before, ...own, 'en.json': part('index",\n  "guide') }
      const { 'guide.mdx': _guide, ...rest } = old
      const deletions = new Map([['guide.mdx', null]])
      expect(judge(old, { ...rest, 'en.json': part('index') }, deletions, layout)).toEqual([])
      expect(judge(old, { ...rest, 'en.json': part('guide') }, deletions, layout)).toContain('damage en.json')
    })

    it('accepts a redirect from the old address to the new one', () => {
      expect(judge(before, after, moves, layout)).toEqual([])
    })

    it('reports a redirect between other addresses', () => {
      const other = row.replace('/guide', '/elsewhere')
      const found = judge(before, { ...after, 'docs.json': config('manual', other) }, moves, layout)
      expect(found).toContain('damage docs.json:7')
    })
  })

  it('reports a duplicate key in a YAML file', () => {
    const layout = { framework: 'mkdocs', content: ['docs'] }
    const nav = (page: string, more = '') =>
      `nav:\n  - ${page}.md\nplugins:\n  - redirects:\n      redirect_maps:\n        a.md: b.md\n${more}`
    const before = { 'mkdocs.yml': nav('guide'), 'docs/guide.md': '', 'docs/b.md': '' }
    const after = { 'mkdocs.yml': nav('manual', '        a.md: b.md\n'), 'docs/manual.md': '', 'docs/b.md': '' }
    const moves = new Map([['docs/guide.md', 'docs/manual.md']])
    expect(judge(before, after, moves, layout)).toContain('damage mkdocs.yml')
  })

  it('accepts that the toctree entry of a deleted page is removed, and no other line', () => {
    const layout = { framework: 'sphinx', content: ['docs'] }
    const before = { 'docs/index.md': '```{toctree}\nA <a>\nb\n```\n', 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }
    const moves = new Map([['docs/a.md', null]])
    const page = (text: string) => ({ 'docs/index.md': text, 'docs/b.md': '# B\n' })
    expect(judge(before, page('```{toctree}\nb\n```\n'), moves, layout)).toEqual([])
    expect(judge(before, page('```{toctree}\n```\n'), moves, layout)).toEqual(['damage docs/index.md:2'])
  })

  it.each(['lang', 'locale', 'hreflang'])('does not read the value of %s as an address', (key) => {
    const layout = { framework: 'vitepress', content: ['docs'] }
    const config = (link: string) => `export default { themeConfig: { ${key}: 'en', nav: [{ link: '${link}' }] } }\n`
    const before = { 'docs/.vitepress/config.ts': config('/guide'), 'docs/en.md': '# E\n', 'docs/guide.md': '# G\n' }
    const after = {
      'docs/.vitepress/config.ts': config('/guide'),
      'docs/more/en.md': '# E\n',
      'docs/guide.md': '# G\n',
    }
    expect(judge(before, after, new Map([['docs/en.md', 'docs/more/en.md']]), layout)).toEqual([])
  })

  describe('with released versions', () => {
    const layout = { framework: 'docusaurus', content: ['docs'] }
    const files = (page: string) => ({
      'website/docusaurus.config.js': "module.exports = { footer: [{ to: '/docs/userguide' }] }\n",
      'website/versioned_docs/version-1.0/UserGuide.md': '# Guide\n',
      'docs/start.md': '# Start\n\nSee [guide](/docs/userguide).\n',
      [page]: '# Guide\n',
    })
    const moves = new Map([['docs/UserGuide.md', 'docs/more/UserGuide.md']])

    it('accepts links to the released page that stay', () => {
      expect(judge(files('docs/UserGuide.md'), files('docs/more/UserGuide.md'), moves, layout)).toEqual([])
    })

    it('reports them if the current pages have these addresses', () => {
      const config = { 'website/docusaurus.config.js': "module.exports = { lastVersion: 'current' }\n" }
      const [before, after] = [files('docs/UserGuide.md'), files('docs/more/UserGuide.md')]
      expect(judge({ ...before, ...config }, { ...after, ...config }, moves, layout)).toEqual(['stale docs/start.md:3'])
    })
  })
})
