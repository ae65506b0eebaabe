import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { Site } from '../frameworks/framework.ts'
import { resolveLink } from '../links/resolve-link.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

type Files = Readonly<Record<string, string>>

async function open(files: Files) {
  const judgement = await judgeRepository(buildMemoryWorkspace(files))
  const [site] = judgement.repository.sites
  if (site === undefined) throw new Error('no site')
  const lead = (page: string, href: string) => resolveLink(judgement.repository.index, page, href).verdict
  const entries = ({ navigation }: Site) => navigation.entries.map(({ file, page }) => `${file} ${page}`)
  return { ...judgement, site, lead, entries: entries(site) }
}

describe('VitePress', () => {
  const pages = {
    'docs/index.md': 'x\n',
    'docs/guide/a.md': 'x\n',
    'docs/team/[id].md': 'x\n',
    'docs/drafts/b.md': 'x\n',
  }
  const config = `import { extendConfig } from 'theme/config'
import { sidebar } from './sidebar.js'
const versions = load()
const config = defineConfig({
  srcExclude: ['drafts/**'],
  themeConfig: { nav: [{ text: 'V', items: versions }], sidebar },
})
export default extendConfig(config)\n`
  const sidebar = `const group = (text: string, names: string[]) => ({ text, items: names.map((name) => ({ text: name, link: \`/guide/\${name}\` })) })
export const sidebar = [{ text: 'Home', link: '/' }, group('Guide', ['a'])]\n`
  const files = { ...pages, 'docs/.vitepress/config.ts': config, 'docs/.vitepress/sidebar.ts': sidebar }

  it('reads imports, helpers and wrappers', async () => {
    const { site, entries, wrong } = await open(files)
    expect(site.navigation.mode).toBe('listed')
    expect(entries).toEqual(['docs/.vitepress/sidebar.ts /', 'docs/.vitepress/sidebar.ts /guide/a'])
    expect(site.navigation.entries[1]?.isComputed).toBe(true)
    expect(wrong.filter((row) => !row.includes('[id]'))).toEqual([])
  })

  it('only leaves the URLs of dynamic routes open', async () => {
    const { site, lead } = await open(files)
    expect(site.addresses).toBe('known')
    expect([
      lead('docs/index.md', '/team/ada'),
      lead('docs/index.md', '/gone'),
      lead('docs/index.md', './gone.md'),
    ]).toEqual(['unknown', 'no', 'no'])
  })

  it('follows rewrites', async () => {
    const rewritten = {
      'en/index.md': 'x\n',
      'en/guide.md': '[a](./more) [b](/more) [c](/en/more)\n',
      'en/more.md': 'x\n',
      'packages/core/src/use.md': '[d](/core/use)\n',
      '.vitepress/config.ts': `export default { rewrites: { 'en/:rest*': ':rest*', 'packages/:pkg/src/:rest*': ':pkg/:rest*' }, themeConfig: { sidebar: [{ link: '/guide' }, { link: '/more' }, { link: '/core/use' }] } }\n`,
    }
    const { wrong, counts, site } = await open(rewritten)
    expect(wrong).toEqual(['links: en/guide.md /en/more'])
    expect(counts.links).toMatchObject({ yes: 3, no: 1, unknown: 0 })
    const page = 'en/new.md'
    const [content = null] = site.content
    const like = site.navigation.entries[0]
    if (like === undefined) throw new Error('no entry')
    expect(site.framework.toEntry({ site, like, page, content, facts: null })).toBe('/new')
  })

  it.each(['rewrites: (id) => id', "rewrites: { 'a(b)?': 'c' }"])('has unknown URLs with %s', async (rewrites) => {
    const { site } = await open({ 'a.md': 'x\n', '.vitepress/config.ts': `export default { ${rewrites} }\n` })
    expect(site.addresses).toBe('unknown')
  })

  it('reads the configuration in folders of pages', async () => {
    const more =
      "export default defineAdditionalConfig({ themeConfig: { sidebar: { '/de/': { base: '/de/', items: [{ link: 'a' }] } } } })\n"
    const { site, wrong } = await open({
      '.vitepress/config.ts': "export default { locales: { root: { lang: 'en' }, de: { lang: 'de' } } }\n",
      'de/config.ts': more,
      'de/a.md': 'x\n',
      'de/b.md': 'x\n',
      'index.md': 'x\n',
    })
    expect(site.navigation.files).toContain('de/config.ts')
    expect(wrong).toEqual(['pages: de/b.md'])
  })
})

describe('Docusaurus', () => {
  const config = (docs: string, plugins = '[]') =>
    `const path = require('path')\nmodule.exports = { presets: [['classic', { docs: { ${docs} } }]], plugins: ${plugins} }\n`
  const pages = { 'docs/a.md': '[x](/docs/gone)\n', 'docs/b.md': 'x\n' }

  it.each([
    ["sidebarPath: require.resolve('./sidebars')", 'sidebars.js', "module.exports = { s: ['a', 'b'] }\n"],
    ["sidebarPath: path.resolve(__dirname, './sidebars.json')", 'sidebars.json', '{ "s": ["a", "b"] }\n'],
    ["sidebarPath: './sidebars.ts'", 'sidebars.ts', "export default { s: ['a', 'b'] } satisfies SidebarsConfig\n"],
  ])('finds the sidebars of %s', async (option, path, text) => {
    const { site, entries } = await open({ ...pages, 'docusaurus.config.js': config(option), [path]: text })
    expect(site.navigation).toMatchObject({ mode: 'listed', files: [path, 'docusaurus.config.js'] })
    expect(entries).toEqual([`${path} a`, `${path} b`])
  })

  it('reports sidebars that do not parse', async () => {
    const { site } = await open({
      ...pages,
      'docusaurus.config.js': config("sidebarPath: './s.json'"),
      's.json': '{ "s": ["a",] }\n',
    })
    expect(site.faults).toMatchObject([{ path: 's.json', code: 'invalid' }])
  })

  it.each<[plugins: string, verdicts: string[]]>([
    ["['docusaurus-plugin-sass', function style() { return {} }]", ['no', 'no']],
    ["[['redocusaurus', { specs: [{ route: '/docs/gone' }] }]]", ['unknown', 'unknown']],
    ["['docusaurus-plugin-openapi']", ['no', 'unknown']],
    ['[(context) => ({ contentLoaded({ actions }) { actions.addRoute({ path }) } })]', ['unknown', 'unknown']],
  ])('with the plugins %s', async (plugins, verdicts) => {
    const { lead } = await open({ ...pages, 'docusaurus.config.js': config('', plugins) })
    expect([lead('docs/a.md', '/docs/gone'), lead('docs/a.md', '/api/x')]).toEqual(verdicts)
  })

  it('serves the latest version without its name, and keeps the ids of versions apart', async () => {
    const page = '---\nid: start\n---\n\n[a](/docs/start) [b](/docs/next/start) [c](/docs/1.0/old)\n'
    const { lead, wrong, site } = await open({
      'docusaurus.config.js': config("sidebarPath: './s.json'"),
      's.json': '{ "s": ["start"] }',
      'versions.json': '["2.0", "1.0"]',
      'docs/Start.md': page,
      'versioned_docs/version-2.0/Start.md': page,
      'versioned_docs/version-1.0/old.md': 'x\n',
      'versioned_docs/version-3.0/_part.md': '[a](start) [b](<template/package.json>)\n',
      'versioned_docs/version-3.0/start.md': '[a](more)\n',
      'versioned_sidebars/version-2.0-sidebars.json': '{ "s": ["start"] }',
      'versioned_sidebars/version-1.0-sidebars.json': '{ "version-1.0/s": ["version-1.0/old", "start"] }',
    })
    expect(site.addresses).toBe('known')
    expect(wrong).toEqual(['entries: versioned_sidebars/version-1.0-sidebars.json:1 start'])
    expect(lead('docs/Start.md', '/docs/2.0/start')).toBe('no')
  })
})

describe('Starlight', () => {
  it('generates the entries of a folder in each language', async () => {
    const { wrong } = await open({
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ defaultLocale: 'en', locales: { en: {}, de: {} }, sidebar: [{ label: 'x', autogenerate: { directory: 'guides' } }] })] }\n",
      'src/content/docs/en/index.md': '# x\n',
      'src/content/docs/en/guides/a.md': '# x\n',
      'src/content/docs/de/guides/a.md': '# x\n',
      'src/content/docs/en/b.md': '# x\n',
    })
    expect(wrong).toEqual(['pages: src/content/docs/en/b.md'])
  })
  it('finds the Markdoc pages of entries', async () => {
    const { wrong } = await open({
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ sidebar: [{ slug: 'guide' }, { slug: 'gone' }] })] }\n",
      'src/content/docs/index.md': '# x\n',
      'src/content/docs/guide.mdoc': '# x\n',
    })
    expect(wrong).toEqual(['entries: astro.config.mjs:2 gone'])
  })

  const config = (options: string, more = '') =>
    `import starlight from '@astrojs/starlight'\nimport blog from 'starlight-blog'\n${more}export default defineConfig({ integrations: [starlight({ ${options} })] })\n`
  const docs = 'src/content/docs'

  it('reads sidebars made by helpers and leaves only the URLs of plugins and dynamic routes open', async () => {
    const { site, entries, lead } = await open({
      'astro.config.mjs': config(
        "sidebar: [group('a', ['start'])], plugins: process.env.CI ? [blog()] : []",
        "import { group } from './group'\n",
      ),
      'group.ts': 'export function group(label: string, items: string[]) {\n  return { label, items }\n}\n',
      [`${docs}/start.md`]: 'x\n',
      'src/pages/og/[...path].ts': 'x\n',
      'src/pages/[...all].astro': 'x\n',
    })
    expect(site.navigation.mode).toBe('listed')
    expect(entries).toEqual(['astro.config.mjs start'])
    const links = ['/blog/x', '/og/x/y', '/gone']
    expect(links.map((href) => lead(`${docs}/start.md`, href))).toEqual(['unknown', 'unknown', 'no'])
  })

  it('has unknown URLs with a plugin of its own that adds routes', async () => {
    const { site } = await open({
      'astro.config.mjs': config('plugins: [own()]', "import { own } from './own'\n"),
      'own.ts':
        'export function own() {\n  return { name: "own", hooks: { setup({ addIntegration }) { addIntegration({ hooks: { x: ({ injectRoute }) => injectRoute({}) } }) } } }\n}\n',
      [`${docs}/start.md`]: 'x\n',
    })
    expect(site.addresses).toBe('unknown')
  })
})

describe('Nextra', () => {
  it('reads one global file for the app', async () => {
    const { site, entries, wrong } = await open({
      'docs/app/_meta.global.tsx': `const GUIDE: MetaRecord = { link: '', gone: <b>don't</b>, x: { title: <b />, href: 'https://x.example/' } }
export default { index: { type: 'page' }, docs: { type: 'page', items: { index: '', guide: { items: GUIDE }, _: { type: 'separator' } } } }\n`,
      'docs/app/page.tsx': 'x\n',
      'docs/app/docs/page.mdx': '# x\n',
      'docs/app/docs/guide/page.mdx': '# x\n',
      'docs/app/docs/(group)/guide/link/page.mdx': '[a](/docs/guide) [b](/api/x)\n',
      'docs/app/api/[name]/page.tsx': 'x\n',
    })
    expect(site.addresses).toBe('known')
    expect(entries.map((entry) => entry.split(' ')[1])).toEqual(['index', 'docs', 'index', 'guide', 'link', 'gone'])
    expect(wrong).toEqual(['entries: docs/app/_meta.global.tsx:1 gone'])
  })

  it('serves the content folder at the route that renders it', async () => {
    const { wrong, lead, site } = await open({
      'app/docs/[[...mdxPath]]/page.jsx': 'x\n',
      'content/_meta.js': "export default { index: 'x', start: 'y', gone: 'z' }\n",
      'content/index.mdx': '[a](/docs/start)\n',
      'content/start.mdx': '# x\n',
    })
    expect(wrong).toEqual(['entries: content/_meta.js:1 gone'])
    expect(site.content.map(({ url }) => url)).toEqual(['/docs'])
    expect(lead('content/index.mdx', '/start')).toBe('no')
  })

  it.each([
    ['async redirects() { return rows.concat(more) }', 'no'],
    ['redirects: () => rows', 'no'],
    ['redirects: () => [...rows, ...load()]', 'unknown'],
    ['redirects: async () => load()', 'unknown'],
  ])('reads the redirects of next.config: %s', async (redirects, verdict) => {
    const { wrong, lead, site } = await open({
      'pages/_meta.json': '{}',
      'pages/index.mdx': '# x\n',
      'pages/b/x.mdx': '# x\n',
      'next.config.mjs': `const rows = [
  { source: '/old', destination: '/b/x', permanent: true },
  { source: '/a/:slug(x|y)', destination: '/b/:slug', permanent: true },
]
const more = [{ source: '/older', destination: '/gone', permanent: true }]
export default withNextra({ ${redirects} })\n`,
    })
    expect(wrong.filter((row) => !row.includes('/gone'))).toEqual([])
    expect(lead('pages/index.mdx', '/nowhere')).toBe(verdict)
    expect(site.redirects.complete).toBe(verdict === 'no')
    if (redirects.includes('rows')) expect(lead('pages/index.mdx', '/old')).toBe('yes')
  })

  it('drops the language at the end of names', async () => {
    const { wrong } = await open({
      'pages/docs/_meta.en-US.json': '{ "start": "x" }',
      'pages/docs/start.en-US.mdx': '[a](/docs/more) [b](more)\n',
      'pages/docs/more.en-US.mdx': 'x\n',
      'pages/docs/more.zh-CN.mdx': 'x\n',
    })
    expect(wrong).toEqual([])
  })
})
