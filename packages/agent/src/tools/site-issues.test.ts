import { describe, expect, test } from 'vitest'
import { findIssues } from '../test-support/open-site.ts'
import {
  buildMkdocs,
  DOCUSAURUS,
  FERN,
  GITBOOK,
  HUGO,
  MDBOOK,
  MINTLIFY,
  NEXTRA,
  SPHINX,
  STARLIGHT,
  VITEPRESS,
} from '../test-support/small-sites.ts'

const MKDOCS = buildMkdocs()
const LINK = (page: string, line = 5) => [`links ${page}:${line}`]

describe('valid sites have no issues', () => {
  test.each([DOCUSAURUS, GITBOOK, HUGO, MDBOOK, MINTLIFY, MKDOCS, NEXTRA, SPHINX, STARLIGHT, VITEPRESS])(
    'small site %#',
    async (files) => expect(await findIssues(files)).toEqual([]),
  )

  test('Fern: versions may have pages with the same slug', async () => expect(await findIssues(FERN)).toEqual([]))

  test('Fern: a page outside the navigation has no URL', async () => {
    const old = '---\ntitle: O\nslug: docs/old\n---\n\nOld\n'
    expect(await findIssues({ ...FERN, 'fern/pages/archive/old.mdx': old })).toEqual([
      'navigation fern/pages/archive/old.mdx',
    ])
  })

  test('Fern: [#id] defines the id of a heading', async () => {
    const text = '---\ntitle: B\nslug: docs/b\n---\n\n### Cloud [#gcp]\n\n[c](#gcp)\n'
    expect(await findIssues(FERN, { 'fern/pages/v2/b.mdx': text })).toEqual([])
  })

  const dollars = '# A\n\nCosts <b>$</b> or $5 more.\n'
  test.each([
    ['Starlight', STARLIGHT, 'src/content/docs/a.mdx', `---\ntitle: A\n---\n\n${dollars}`],
    ['Docusaurus', DOCUSAURUS, 'docs/a.md', dollars],
    ['Nextra', NEXTRA, 'pages/a.mdx', dollars],
  ])('%s: dollar signs are text unless the site has a plugin for formulas', async (_, files, path, text) =>
    expect(await findIssues(files, { [path]: text })).toEqual([]),
  )

  test('Starlight: ":::" ends the block and the code that is open in it', async () => {
    const text =
      '---\ntitle: A\n---\n\nimport { Tabs, TabItem } from "@astrojs/starlight/components"\n\n<Tabs>\n<TabItem label="x">\n\n:::tip\nWords:\n\n````ps\ncode\n:::\n\n</TabItem>\n</Tabs>\n\n```sh\nx\n````\n'
    expect(await findIssues(STARLIGHT, { 'src/content/docs/a.mdx': text })).toEqual([])
  })

  test('Starlight: blank lines may precede the front matter', async () =>
    expect(await findIssues(STARLIGHT, { 'src/content/docs/a.mdx': '\n---\ntitle: A\n---\n\nText.\n' })).toEqual([]))

  test('Starlight: HTML in a string has no attributes', async () => {
    const html =
      '{"<pre class=\\"l\\"><code class=\\"l\\">x <strong>1 | </strong>&lt;input type=&quot;image&quot; src=&quot;image.png&quot; /&gt;<br /></code></pre>"}'
    const text = `---\ntitle: A\n---\n\n<Fragment set:html=${html} />\n`
    expect(await findIssues(STARLIGHT, { 'src/content/docs/a.mdx': text })).toEqual([])
  })

  test('Starlight: a build creates a page that Git ignores', async () => {
    const files = { ...STARLIGHT, 'src/content/docs/reference/.gitignore': 'cli.mdx\n' }
    const text = '---\ntitle: H\n---\n\n[c](/reference/cli/)\n'
    const config = files['astro.config.mjs'].replace(
      'sidebar: [',
      'sidebar: [{ label: "C", link: "/reference/cli/" }, ',
    )
    const change = { 'src/content/docs/index.md': text, 'astro.config.mjs': config }
    expect(await findIssues(files, change)).toEqual([])
  })

  test('Starlight: the source folder may be the root', async () => {
    const files = {
      'website/astro.config.mjs':
        'import starlight from "@astrojs/starlight"\nexport default { base: "/weir", srcDir: "./", integrations: [starlight({ title: "Weir", sidebar: [{ label: "Flow", link: "/flow/" }] })] }\n',
      'website/content/docs/index.md': '---\ntitle: Weir\n---\n\n[Flow](/weir/flow/)\n',
      'website/content/docs/flow.md': '---\ntitle: Flow\n---\n\n[Home](/weir/)\n',
    }
    expect(await findIssues(files)).toEqual([])
    const text = '---\ntitle: Flow\n---\n\n[x](/weir/dam/)\n'
    expect(await findIssues(files, { 'website/content/docs/flow.md': text })).toEqual(
      LINK('website/content/docs/flow.md'),
    )
  })

  const block = '# A\n\n::: warning\nText\n\n::: code-group\n```sh [npm]\nnpm i\n```\n:::\n'
  test('VitePress: one end closes nested containers of the same length', async () =>
    expect(await findIssues(VITEPRESS, { 'docs/guide/a.md': `${block}\n## Next\n` })).toEqual([]))

  test('VitePress: a second end is shown as text', async () =>
    expect(await findIssues(VITEPRESS, { 'docs/guide/a.md': `${block}:::\n\n## Next\n` })).toEqual([
      'syntax docs/guide/a.md:11',
    ]))

  test('VitePress: a class of a heading is not part of its id', async () => {
    const tuning = '# A\n\n## Slow start {.beta}\n\nText.\n\n## `pitch` option {#pitch .prop}\n\nText.\n'
    const files = { ...VITEPRESS, 'docs/guide/a.md': tuning }
    const find = (text: string) => findIssues(files, { 'docs/installation.md': `# I\n\n${text}\n` })
    expect(await find('[a](/guide/a#slow-start) [b](/guide/a#pitch)')).toEqual([])
    expect(await find('[a](/guide/a#slow-start-beta)')).toEqual(['anchors docs/installation.md:3'])
  })

  test('Hugo: a definition may contain a shortcode', async () => {
    const text =
      '---\ntitle: A\n---\n\nGet [it][dl], read [more][b] and [go][g].\n\n[dl]: https://x.org/{{< param v >}}.zip\n[b]: {{< relref "b" >}}\n[g]: https://go.dev\n'
    expect(await findIssues(HUGO, { 'content/docs/a.md': text })).toEqual([])
  })

  test('Hugo: references name bundles, and the alias of a translation has no language', async () => {
    const mast =
      '---\ntitle: Mast\n---\n\n{{< ref "keel" >}} {{< ref "keel/index.md" >}} {{< relref "/docs/keel#laying" >}} {{< ref "/docs/keel" >}}\n'
    const files = {
      'hugo.toml':
        "baseURL = 'https://x.example/'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n",
      'content/docs/_index.md': '---\ntitle: Docs\n---\n',
      'content/docs/keel/index.md': '---\ntitle: Keel\n---\n\n## Laying\n\nText.\n',
      'content/docs/keel/index.fr.md': '---\ntitle: Quille\naliases: [/docs/ancienne-quille]\n---\n\nTexte.\n',
      'content/docs/mast.md': mast,
      'content/docs/mast.fr.md': '---\ntitle: Mât\n---\n\n[q](/docs/ancienne-quille/)\n',
    }
    expect(await findIssues(files)).toEqual([])
    expect(await findIssues(files, { 'content/docs/mast.md': `${mast}{{< ref "rudder" >}}\n` })).toEqual(
      LINK('content/docs/mast.md', 6),
    )
    const alias = '---\ntitle: Mât\n---\n\n[q](/fr/docs/ancienne-quille/)\n'
    expect(await findIssues(files, { 'content/docs/mast.fr.md': alias })).toEqual(LINK('content/docs/mast.fr.md'))
  })

  test('Mintlify: <pre> may have an id', async () => {
    const text = '---\ntitle: B\n---\n\n<pre id="here">x</pre>\n\n[h](#here)\n'
    expect(await findIssues(MINTLIFY, { 'b.mdx': text })).toEqual([])
  })

  test('Mintlify: x-mint.href is the URL of the page of an operation', async () => {
    const operation = { tags: ['Chat'], summary: 'Send', responses: {}, 'x-mint': { href: '/en/ref/send' } }
    const files = {
      'docs.json': JSON.stringify({
        name: 'x',
        navigation: {
          groups: [
            { group: 'G', pages: ['a'] },
            { group: 'API', openapi: 'api.json', pages: ['POST /m'] },
          ],
        },
      }),
      'a.mdx': '---\ntitle: A\n---\n\n[s](/en/ref/send)\n',
      'api.json': JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'x', version: '1' },
        paths: { '/m': { post: operation } },
      }),
    }
    expect(await findIssues(files)).toEqual([])
    expect(await findIssues(files, { 'a.mdx': '---\ntitle: A\n---\n\n[s](/en/ref/sent)\n' })).toEqual(LINK('a.mdx'))
  })

  test('Mintlify: dots in names, generated pages and other schemes', async () => {
    const index =
      '---\ntitle: Home\n---\n\n[r](/releases/0.13.0) [s](./releases/0.13.0) [k](/reference/api/keys/list-keys) [c](cursor://anysphere.cursor-deeplink/mcp/install?name=x) [v](vscode:extension/x.y)\n'
    const files = {
      'docs.json': JSON.stringify({
        name: 'Tide',
        navigation: {
          tabs: [
            { tab: 'Docs', pages: ['index', 'releases/0.13.0'] },
            { tab: 'API', openapi: { source: 'openapi.json', directory: 'reference/api' } },
          ],
        },
      }),
      'openapi.json':
        '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/keys":{"get":{"tags":["keys"],"summary":"List keys","responses":{}}}}}\n',
      'index.mdx': index,
      'releases/0.13.0.mdx': '---\ntitle: 0.13.0\n---\n\n## On-chain — vanity\n\nText.\n',
    }
    expect(await findIssues(files)).toEqual([])
    expect(await findIssues(files, { 'index.mdx': `${index}\n[x](/releases/0.13.0#on-chain-—-vanity)\n` })).toEqual([])
    expect(await findIssues(files, { 'index.mdx': `${index}\n[x](/releases/0.14.0)\n` })).toEqual(LINK('index.mdx', 7))
  })

  test('mdBook: README.md becomes index.html', async () =>
    expect(await findIssues(MDBOOK, { 'src/a.md': '# A\n\n[c](cli/index.html) [home](index.html)\n' })).toEqual([]))

  test('mdBook: a page that SUMMARY.md does not list has no URL', async () => {
    const files = { ...MDBOOK, 'src/orphan.md': '# O\n' }
    expect(await findIssues(files, { 'src/orphan.md': null, 'src/orphan2.md': '# O\n' })).toEqual([])
  })

  test('MkDocs: a build creates an included file that Git ignores', async () => {
    const files = { ...MKDOCS, '.gitignore': '/docs/ref/.gen.md\n' }
    expect(await findIssues(files, { 'docs/index.md': '# H\n\n--8<-- "docs/ref/.gen.md"\n' })).toEqual([])
  })

  test('MkDocs: literate-nav accepts folders and globs, and entries may have anchors', async () => {
    const files = {
      'mkdocs.yml': 'site_name: Lathe\nplugins:\n  - literate-nav:\n      nav_file: SUMMARY.md\n',
      'docs/SUMMARY.md': '* [Home](index.md)\n* [Parts](parts/)\n* tools/*.md\n',
      'docs/index.md': '# Lathe\n\n[Chuck](parts/chuck.md)\n',
      'docs/parts/SUMMARY.md': '* [Chuck](chuck.md)\n',
      'docs/parts/chuck.md': '# Chuck\n',
      'docs/tools/gouge.md': '# Gouge\n',
    }
    expect(await findIssues(files)).toEqual([])
    const summary = '* [Chuck](chuck.md)\n* [Tailstock](tailstock.md)\n'
    expect(await findIssues(files, { 'docs/parts/SUMMARY.md': summary })).toEqual(LINK('docs/parts/SUMMARY.md', 2))
    const change = { 'docs/parts/SUMMARY.md': summary, 'docs/parts/tailstock.md': '# Tailstock\n' }
    expect(await findIssues(files, change)).toEqual([])
    const anchored = {
      'mkdocs.yml': 'site_name: Lathe\nnav:\n  - index.md\n  - Speeds: chuck/#speeds\n  - Chuck: chuck.md\n',
      'docs/index.md': '# Lathe\n',
      'docs/chuck.md': '# Chuck\n\n## Speeds\n',
    }
    expect(await findIssues(anchored)).toEqual([])
  })

  test('Docusaurus: a path of a file may start at the folder of the site', async () =>
    expect(await findIssues(DOCUSAURUS, { 'docs/a.md': '# A\n\n[b](/docs/c/b.mdx)\n' })).toEqual([]))

  test('Sphinx: labels and slugs', async () => {
    const fish = '# B\n\n[b](#hard-coral) [c](../a.md#lxcenv-for-variables) [d](../a) {ref}`hard-coral`\n'
    const files = {
      ...SPHINX,
      'docs/a.md': '(hard-coral)=\n# Coral\n\n## lxc.env for variables\n\nText.\n',
      'docs/sub/b.md': fish,
    }
    const find = (text: string) => findIssues(files, { 'docs/sub/b.md': `${fish}\n${text}\n` })
    expect(await findIssues(files)).toEqual([])
    expect(await find('[x](../a#hard-coral)')).not.toEqual([])
    expect(await find('[x](../a.md#hard-coral)')).not.toEqual([])
    expect(await find('[x](../a.md#soft-coral)')).not.toEqual([])
  })

  test('Fern: links to slugs, files and redirects', async () => {
    const welcome =
      '---\ntitle: Welcome\n---\n\n[n](/release-notes) [m](./deep/notes.mdx) [c](/console)\n\n<Card title="Notes" href="/release-notes">x</Card>\n'
    const files = {
      'fern/fern.config.json': '{"organization":"acme","version":"0.80.0"}\n',
      'fern/docs.yml':
        'instances:\n  - url: acme.docs.buildwithfern.com\nnavigation:\n  - section: Guides\n    contents:\n      - page: Welcome\n        path: ./pages/welcome.mdx\n      - page: Notes\n        path: ./pages/deep/notes.mdx\nredirects:\n  - source: /console\n    destination: https://console.example.com\n',
      'fern/pages/welcome.mdx': welcome,
      'fern/pages/deep/notes.mdx': '---\ntitle: Notes\nslug: release-notes\n---\n\nText.\n',
    }
    expect(await findIssues(files)).toEqual([])
    const change = { 'fern/pages/welcome.mdx': `${welcome}\n[x](./deep/gone.mdx)\n` }
    expect(await findIssues(files, change)).toEqual(LINK('fern/pages/welcome.mdx', 9))
  })

  test('Nextra: keys of _meta and the base folder', async () => {
    const files = {
      'package.json': '{"dependencies":{"nextra":"4.6.0","nextra-theme-docs":"4.6.0","next":"15.5.0"}}\n',
      'next.config.mjs':
        'import nextra from "nextra"\nconst withNextra = nextra({ contentDirBasePath: "/handbook" })\nexport default withNextra({})\n',
      'app/handbook/[[...mdxPath]]/page.jsx':
        'import { importPage } from "nextra/pages"\nexport default async function Page(props) { const { default: C } = await importPage((await props.params).mdxPath); return <C /> }\n',
      'content/_meta.ts': 'export default {\n  index: "Home",\n  release: "Release",\n}\n',
      'content/index.mdx': '# Home\n\n[c](/handbook/release/contracts)\n',
      'content/release/_meta.ts': 'export default {\n  contracts: "Contracts",\n  dates: { title: "Dates" },\n}\n',
      'content/release/contracts.mdx': '# Contracts\n',
      'content/release/dates.mdx': '# Dates\n',
    }
    expect(await findIssues(files)).toEqual([])
    const gone = { 'content/release/contracts.mdx': null, 'content/index.mdx': '# Home\n' }
    expect(await findIssues(files, gone)).toContain('navigation content/release/_meta.ts:2')
    const link = { 'content/release/dates.mdx': '# Dates\n\n[x](/release/contracts)\n' }
    expect(await findIssues(files, link)).toEqual(LINK('content/release/dates.mdx', 3))
  })
})

describe('redirects', () => {
  const nextra = (redirect: string) => ({
    ...NEXTRA,
    'next.config.js': `import nextra from "nextra"\nexport default nextra({ theme: "nextra-theme-docs" })({ redirects: () => [${redirect}] })\n`,
  })
  const host = (source: string) =>
    `{ source: "${source}", has: [{ type: "host", value: "old.example.org" }], destination: "https://example.org/x", permanent: true }`
  const gone = { 'pages/a.mdx': null, 'pages/_meta.js': 'export default { index: "Home" }\n' }

  test('Next: a redirect for another host does not make a link good', async () => {
    const expected = [...LINK('pages/index.mdx', 3), 'redirects pages/a.mdx']
    expect(await findIssues(NEXTRA, gone)).toEqual(expected)
    expect(await findIssues(nextra(host('/:path*')), gone)).toEqual(expected)
  })

  test('Next: a redirect for another host hides no page', async () =>
    expect(await findIssues(nextra(host('/')))).toEqual([]))

  const nowhere = { 'docs/guide/a.md': '# A\n\n[n](/nowhere)\n' }
  test.each([
    [
      'vercel.json',
      '{"redirects":[{"source":"/:path*","has":[{"type":"host","value":"old.example.org"}],"destination":"https://example.org/:path*"}]}',
    ],
    [
      'vercel.json',
      '{"redirects":[{"source":"/:path*","missing":[{"type":"cookie","key":"x"}],"destination":"https://example.org/:path*"}]}',
    ],
    [
      'netlify.toml',
      '[[redirects]]\nfrom = "/*"\nto = "https://cn.example.org/:splat"\nstatus = 302\nconditions = {Country = ["cn"]}\n',
    ],
    ['docs/public/_redirects', '/*  https://cn.example.org/:splat  302  Country=cn\n'],
  ])('%s: a redirect with a condition does not make a link good', async (file, text) => {
    expect(await findIssues({ ...VITEPRESS, [file]: text }, nowhere)).toEqual(LINK('docs/guide/a.md', 3))
  })

  test('mdBook: a redirect to nothing', async () => {
    const text = MDBOOK['book.toml'].replace('a.html', 'nope.html')
    expect(await findIssues(MDBOOK, { 'book.toml': text })).toEqual(['redirects book.toml:5'])
  })

  test('MkDocs: a redirect to nothing', async () => {
    const text = MKDOCS['mkdocs.yml'].replace('"z.md"', '"nope.md"')
    expect(await findIssues(MKDOCS, { 'mkdocs.yml': text })).toEqual(['redirects mkdocs.yml:6'])
  })

  test('MkDocs: a redirect of a page to itself', async () => {
    const base = {
      ...MKDOCS,
      'mkdocs.yml': MKDOCS['mkdocs.yml'].replaceAll(/z\.md/g, 'z/index.md'),
      'docs/z/index.md': '# Z\n',
    }
    const { 'docs/z.md': _, ...files } = base
    const text = files['mkdocs.yml'].replace('        "old.md"', '        z.md: z/index.md\n        "old.md"')
    expect(await findIssues(files, { 'mkdocs.yml': text })).toEqual(['redirects mkdocs.yml:6'])
  })

  test('GitBook: a redirect to nothing', async () => {
    const text = GITBOOK['.gitbook.yaml'].replace('./a.md', './nope.md')
    expect(await findIssues(GITBOOK, { '.gitbook.yaml': text })).toEqual(['redirects .gitbook.yaml:4'])
  })
})

describe('broken references', () => {
  test('VitePress: links of an index page start at its folder', async () => {
    const find = (href: string) => findIssues(VITEPRESS, { 'docs/guide/index.md': `# G\n\n[i](${href})\n` })
    expect(await find('../installation')).toEqual([])
    expect(await find('./installation')).toEqual(LINK('docs/guide/index.md', 3))
  })

  const LOCAL = 'http://localhost:4173/panel'
  test.each([`[the panel](${LOCAL})`, `<${LOCAL}>`, LOCAL])('VitePress: %s is dead', async (written) =>
    expect(await findIssues(VITEPRESS, { 'docs/guide/a.md': `# A\n\nOpen ${written} now.\n` })).toEqual(
      LINK('docs/guide/a.md', 3),
    ),
  )

  test('VitePress: links to localhost that the configuration allows, and code', async () => {
    const config = VITEPRESS['docs/.vitepress/config.ts'].replace('{', "{ ignoreDeadLinks: 'localhostLinks',")
    const files = { ...VITEPRESS, 'docs/.vitepress/config.ts': config }
    expect(await findIssues(files, { 'docs/guide/a.md': `# A\n\n[the panel](${LOCAL})\n` })).toEqual([])
    expect(await findIssues(VITEPRESS, { 'docs/guide/a.md': `# A\n\n\`${LOCAL}\`\n` })).toEqual([])
  })

  test('VitePress: a page outside the source folder is no target', async () => {
    const files = { ...VITEPRESS, 'ROADMAP.md': '# Roadmap\n', 'packages/core/README.md': '# Core\n' }
    const find = (href: string) => findIssues(files, { 'docs/installation.md': `# I\n\n[x](${href})\n` })
    expect(await find('https://github.com/acme/gorge/blob/main/ROADMAP.md')).toEqual([])
    expect(await find('../ROADMAP.md')).toEqual(LINK('docs/installation.md', 3))
    expect(await find('../packages/core/README.md')).toEqual(LINK('docs/installation.md', 3))
  })

  test('VitePress: a rewritten page has only its new address', async () => {
    const config = VITEPRESS['docs/.vitepress/config.ts'].replace(
      '{',
      "{ rewrites: { 'developer/README.md': 'developer/index.md' },",
    )
    const files = { ...VITEPRESS, 'docs/.vitepress/config.ts': config, 'docs/developer/README.md': '# D\n' }
    const find = (href: string) => findIssues(files, { 'docs/installation.md': `# I\n\n[x](${href})\n` })
    expect(await find('/developer/')).toEqual([])
    expect(await find('/developer/README')).toEqual(LINK('docs/installation.md', 3))
  })

  const first = 'src/content/docs/guides/first.md'
  const findStarlight = (href: string) => findIssues(STARLIGHT, { [first]: `---\ntitle: First\n---\n\n[x](${href})\n` })
  test.each(['/guides/other/', '../other/'])('Starlight: %s is good', async (href) =>
    expect(await findStarlight(href)).toEqual([]),
  )
  test.each(['./other.md', 'other.md', './other', 'other'])('Starlight: %s is not', async (href) =>
    expect(await findStarlight(href)).toEqual(LINK(first)),
  )

  test('Sphinx: doc is relative, and knows no last parts of paths', async () => {
    const find = (text: string) => findIssues(SPHINX, { 'docs/sub/b.md': `# B\n\n${text}\n` })
    expect(await find('{doc}`c` {doc}`/sub/c` {doc}`../a` {doc}`A </a>`')).toEqual([])
    expect(await find('{doc}`sub/c`')).toEqual(LINK('docs/sub/b.md', 3))
    expect(await find('{doc}`a`')).toEqual(LINK('docs/sub/b.md', 3))
  })

  test('Sphinx: project: and path: are links to files', async () => {
    const find = (text: string) => findIssues(SPHINX, { 'docs/a.md': `# A\n\n${text}\n` })
    expect(await find('[x](project:sub/c.md) [y](path:sub/c.md)')).toEqual([])
    expect(await find('[x](project:gone.md)')).toEqual(LINK('docs/a.md', 3))
  })

  test('Sphinx: ref to an unknown label', async () => {
    const files = { ...SPHINX, 'docs/a.md': '(known)=\n# A\n\n{ref}`known` {ref}`text <known>`\n' }
    expect(await findIssues(files)).toEqual([])
    expect(await findIssues(files, { 'docs/sub/b.md': '# B\n\n{ref}`unknown`\n' })).toEqual(LINK('docs/sub/b.md', 3))
  })

  test('MkDocs: a link needs the extension', async () => {
    const files = { ...MKDOCS, 'docs/g/b.md': '# B\n', 'mkdocs.yml': `${MKDOCS['mkdocs.yml']}  - g/b.md\n` }
    const find = (href: string) => findIssues(files, { 'docs/g/a.md': `# A\n\n[x](${href})\n` })
    expect(await find('b.md')).toEqual([])
    expect(await find('../b/')).toEqual([])
    for (const href of ['b', './b', 'b#b']) expect(await find(href)).toEqual(LINK('docs/g/a.md', 3))
  })

  test.each([
    ['mdBook', MDBOOK, 'src/cli/README.md', '../a'],
    ['GitBook', GITBOOK, 'README.md', 'a'],
  ])('%s: a link needs the extension', async (_, files, page, href) =>
    expect(await findIssues(files, { [page]: `# R\n\n[x](${href})\n` })).toEqual(LINK(page, 3)),
  )

  test('MkDocs: a block whose text is not indented is empty', async () =>
    expect(await findIssues(MKDOCS, { 'docs/g/a.md': '# A\n\n!!! note\n\nText not indented.\n' })).toEqual([
      'syntax docs/g/a.md:3',
    ]))

  test.fails('anchors are case-sensitive', async () => {
    const files = { ...MKDOCS, 'docs/z.md': '# Z\n\n## Google sign-in\n' }
    const find = (href: string) => findIssues(files, { 'docs/g/a.md': `# A\n\n[x](${href})\n` })
    expect(await find('../z.md#google-sign-in')).toEqual([])
    expect(await find('../z.md#Google-sign-in')).toEqual(['anchors docs/g/a.md:3'])
  })

  test('Docusaurus: an id that the sidebar names is renamed', async () => {
    const files = { ...DOCUSAURUS, 'docs/c/b.mdx': '---\nid: b\nslug: /c/b\n---\n\n# B\n' }
    const text = '---\nid: other\nslug: /c/b\n---\n\n# B\n'
    expect(await findIssues(files, { 'docs/c/b.mdx': text })).toContain('navigation sidebars.js:1')
  })

  const prefixed = (option: string, sidebar: string) => ({
    ...DOCUSAURUS,
    'docusaurus.config.js': DOCUSAURUS['docusaurus.config.js'].replace('docs: {', `docs: { ${option}`),
    'sidebars.js': `module.exports = { main: ${sidebar} }`,
    'docs/01-begin/02-setup.md': '# Setup\n',
    'docs/01-begin/03-use.md': '# Use\n',
    'docs/2026-01-notes.md': '# Notes\n',
    'docs/3.2.0/changes.md': '# Changes\n',
  })
  const GENERATED = "[{ type: 'autogenerated', dirName: '.' }]"
  const use = 'docs/01-begin/03-use.md'

  test('Docusaurus: number prefixes are not part of URLs', async () => {
    const find = (text: string) => findIssues(prefixed('', GENERATED), { [use]: `# Use\n\n${text}\n` })
    const good = '[a](/docs/begin/setup) [b](/docs/2026-01-notes) [c](/docs/3.2.0/changes) [d](./02-setup.md)'
    expect(await find(good)).toEqual([])
    expect(await find('[a](/docs/01-begin/02-setup)')).toEqual(LINK(use, 3))
  })

  test('Docusaurus: numberPrefixParser: false keeps the prefixes', async () => {
    const files = prefixed('numberPrefixParser: false,', GENERATED)
    const find = (text: string) => findIssues(files, { [use]: `# Use\n\n${text}\n` })
    expect(await find('[a](/docs/01-begin/02-setup)')).toEqual([])
    expect(await find('[a](/docs/begin/setup)')).toEqual(LINK(use, 3))
    const listed = "['a', 'c/b', '01-begin/02-setup', '01-begin/03-use', '2026-01-notes', '3.2.0/changes']"
    expect(await findIssues(prefixed('numberPrefixParser: false,', listed))).toEqual([])
  })

  test('Docusaurus: HTML comments that the configuration turns off', async () => {
    const find = (option: string) => {
      const config = DOCUSAURUS['docusaurus.config.js'].replace('baseUrl', `${option} baseUrl`)
      const files = { ...DOCUSAURUS, 'docusaurus.config.js': config }
      return findIssues(files, { 'docs/a.md': '# A\n\n<!-- checked by hand -->\n' })
    }
    expect(await find('')).toEqual([])
    expect(await find('markdown: { mdx1Compat: { comments: false } },')).toEqual(['syntax docs/a.md:3'])
    expect(await find('future: { v4: true },')).toEqual(['syntax docs/a.md:3'])
  })

  test.fails('Docusaurus: the URL of a generated category comes from its label', async () => {
    const files = {
      ...DOCUSAURUS,
      'sidebars.js': `module.exports = { main: ${GENERATED} }`,
      'docs/a.md': '# A\n\n[p](/docs/category/pruning)\n',
      'docs/pruning/_category_.json': '{ "label": "Pruning", "link": { "type": "generated-index" } }\n',
      'docs/pruning/winter.md': '# Winter\n',
    }
    expect(await findIssues(files)).toEqual([])
    const label = '{ "label": "Pruning and training", "link": { "type": "generated-index" } }\n'
    expect(await findIssues(files, { 'docs/pruning/_category_.json': label })).toEqual(LINK('docs/a.md', 3))
    expect(await findIssues(files, { 'docs/pruning/_category_.json': null })).toEqual(LINK('docs/a.md', 3))
    expect(await findIssues(files, { 'docs/a.md': '# A\n\n[p](/docs/category/grafting)\n' })).toEqual(
      LINK('docs/a.md', 3),
    )
  })

  test('paths are case-sensitive', async () => {
    const plain = { 'README.md': '# X\n\nText.\n', 'docs/changelog.md': '# C\n' }
    expect(await findIssues(plain, { 'README.md': '# X\n\n[c](docs/Changelog.md)\n' })).toEqual(LINK('README.md', 3))
    expect(await findIssues(MKDOCS, { 'docs/index.md': '# H\n\n[z](Z.md)\n' })).toEqual(LINK('docs/index.md', 3))
    expect(await findIssues(MINTLIFY, { 'a.mdx': '---\ntitle: A\n---\n\n[b](./B.mdx)\n' })).toEqual(LINK('a.mdx'))
  })
})
