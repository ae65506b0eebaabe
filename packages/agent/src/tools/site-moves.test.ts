import { describe, expect, test } from 'vitest'
import { openSite } from '../test-support/open-site.ts'
import {
  buildMkdocs,
  DOCUSAURUS,
  FERN,
  HUGO,
  MDBOOK,
  MINTLIFY,
  SPHINX,
  VITEPRESS,
} from '../test-support/small-sites.ts'

const REFS = '---\ntitle: A\n---\n\n[b]({{< relref "b" >}}) and [c]({{< ref "/docs/b.md#sec" >}})\n'

describe('move', () => {
  test('Hugo: ref and relref follow a page', async () => {
    const site = await openSite({ ...HUGO, 'content/docs/a.md': REFS })
    await site.run('move', { path: 'content/docs/b.md', new_path: 'content/docs/zeta.md' })
    expect(site.text('content/docs/a.md')).toBe(
      REFS.replace('"b"', '"zeta"').replace('/docs/b.md#sec', '/docs/zeta.md#sec'),
    )
    expect(await site.findNew()).toEqual(['redirects content/docs/zeta.md'])
  })

  test('Hugo: ref follows a page to another section', async () => {
    const text = '---\ntitle: A\n---\n\n[d]({{< ref "b.md" >}}) {{< relref "/docs/b" >}} [e](b.md)\n'
    const site = await openSite({ ...HUGO, 'content/docs/a.md': text })
    await site.run('move', { path: 'content/docs/b.md', new_path: 'content/blog/b.md' })
    expect(site.text('content/docs/a.md')).toContain('"/blog/b"')
    expect(await site.findNew()).toEqual(['redirects content/blog/b.md'])
  })

  test('Sphinx: doc and project: follow a page', async () => {
    const text = '# A\n\nSee {doc}`sub/c`, {doc}`the page </sub/c>`, [d](project:sub/c.md) and [e](sub/c.md).\n'
    const site = await openSite({ ...SPHINX, 'docs/a.md': text })
    await site.run('move', { path: 'docs/sub/c.md', new_path: 'docs/c.md' })
    expect(site.text('docs/a.md')).toBe('# A\n\nSee {doc}`c`, {doc}`the page </c>`, [d](project:c.md) and [e](c.md).\n')
    expect(await site.findNew()).toEqual([])
  })

  test('Sphinx: doc and includes of a moved page lead to the same files', async () => {
    const text =
      '# A\n\nSee {doc}`sub/b` and {doc}`/sub/b`.\n\n```{literalinclude} code/x.py\n```\n\n```{include} part.txt\n```\n'
    const files = { ...SPHINX, 'docs/a.md': text, 'docs/code/x.py': 'x = 1\n', 'docs/part.txt': 'P\n' }
    const site = await openSite(files)
    await site.run('move', { path: 'docs/a.md', new_path: 'docs/sub/a.md' })
    expect(site.text('docs/sub/a.md')).toBe(
      text.replace('`sub/b', '`b').replace('code/x.py', '../code/x.py').replace('part.txt', '../part.txt'),
    )
    expect(await site.findNew()).toEqual([])
  })

  test('VitePress: includes follow a page and an included file', async () => {
    const text = '# A\n\n<!--@include: ./parts/p.md-->\n\n<<< ./code/x.ts\n\n<<< @/guide/code/x.ts{1}\n'
    const files = {
      ...VITEPRESS,
      'docs/guide/a.md': text,
      'docs/guide/parts/p.md': 'P\n',
      'docs/guide/code/x.ts': 'x\n',
    }
    const part = await openSite(files)
    await part.run('move', { path: 'docs/guide/parts/p.md', new_path: 'docs/guide/parts/q.md' })
    expect(part.text('docs/guide/a.md')).toBe(text.replace('p.md', 'q.md'))
    const page = await openSite(files)
    await page.run('move', { path: 'docs/guide/a.md', new_path: 'docs/a.md' })
    expect(page.text('docs/a.md')).toBe(
      text.replace('./parts/p.md', './guide/parts/p.md').replace('./code/x.ts', './guide/code/x.ts'),
    )
    expect(await page.findNew()).toEqual(['redirects docs/a.md'])
  })

  test('Mintlify: <Snippet> follows a snippet', async () => {
    const files = {
      ...MINTLIFY,
      'a.mdx': '---\ntitle: A\n---\n\n<Snippet file="q.mdx" />\n',
      'snippets/q.mdx': 'Q\n',
    }
    const site = await openSite(files)
    const result = await site.run('move', { path: 'snippets/q.mdx', new_path: 'snippets/q2.mdx' })
    expect(result).toBe('Moved snippets/q.mdx to snippets/q2.mdx.\nRewrote 1 link in 1 file: a.mdx (1).')
    expect(site.text('a.mdx')).toContain('file="q2.mdx"')
    expect(await site.findNew()).toEqual([])
  })

  test('mdBook: #include follows a page and an included file', async () => {
    const files = { ...MDBOOK, 'src/a.md': '# A\n\n{{#include parts/x.md:2}}\n', 'src/parts/x.md': 'shared\nline\n' }
    const part = await openSite(files)
    await part.run('move', { path: 'src/parts/x.md', new_path: 'src/x.md' })
    expect(part.text('src/a.md')).toBe('# A\n\n{{#include x.md:2}}\n')
    const page = await openSite(files)
    await page.run('move', { path: 'src/a.md', new_path: 'src/cli/a.md' })
    expect(page.text('src/cli/a.md')).toBe('# A\n\n{{#include ../parts/x.md:2}}\n')
  })

  test('Docusaurus: imports without an extension and require', async () => {
    const page =
      '---\nslug: /client/b\n---\n\nimport X from "../../src/comp/X"\n\n# B\n\n<X />\n\n<img src={require("./pic.png").default} />\n'
    const files = {
      ...DOCUSAURUS,
      'docs/c/b.mdx': page,
      'docs/c/pic.png': 'x',
      'src/comp/X.tsx': 'export default () => null',
    }
    const gone = await openSite(files, { 'docs/c/pic.png': null })
    expect(await gone.findNew()).toEqual(['images docs/c/b.mdx:11'])
    const site = await openSite(files)
    await site.run('move', { path: 'docs/c/b.mdx', new_path: 'docs/b.mdx' })
    expect(site.text('docs/b.mdx')).toBe(page.replace('../../src', '../src').replace('./pic.png', './c/pic.png'))
    expect(await site.findNew()).toEqual([])
  })

  test('Docusaurus: links to a page that moves to another plugin become URLs', async () => {
    const files = {
      'package.json': DOCUSAURUS['package.json'],
      'docusaurus.config.js':
        "export default { title: 'Forge', url: 'https://x.example', baseUrl: '/', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'sdk', path: 'sdk', routeBasePath: 'sdk', sidebarPath: './sidebarsSdk.js' }]] }\n",
      'sidebars.js': "export default { main: [{ type: 'autogenerated', dirName: '.' }] }\n",
      'sidebarsSdk.js': "export default { sdk: [{ type: 'autogenerated', dirName: '.' }] }\n",
      'docs/start.md': '# Start\n\n[Tongs](./tongs.md)\n',
      'docs/anvil.md': '# Anvil\n',
      'docs/tongs.md': '# Tongs\n\nOn [the anvil](./anvil.md).\n',
      'sdk/calls.md': '# Calls\n',
    }
    const site = await openSite(files)
    await site.run('move', { path: 'docs/tongs.md', new_path: 'sdk/tongs.md' })
    expect(site.text('sdk/tongs.md')).toContain('(/docs/anvil)')
    expect(site.text('docs/start.md')).toContain('(/sdk/tongs)')
  })

  test('mdBook: redirects follow a page, and a redirect is added', async () => {
    const site = await openSite(MDBOOK)
    await site.run('move', { path: 'src/a.md', new_path: 'src/a2.md' })
    expect(site.text('book.toml')).toBe(
      '[book]\ntitle = "x"\n\n[output.html.redirect]\n"/old.html" = "a2.html"\n"/a.html" = "a2.html"\n',
    )
    expect(await site.findNew()).toEqual([])
  })

  test.each(['docs/z/index.md', 'docs/z/README.md'])(
    'MkDocs: redirects follow a page to %s, which keeps its URL',
    async (path) => {
      const files = buildMkdocs()
      const site = await openSite(files)
      await site.run('move', { path: 'docs/z.md', new_path: path })
      const name = path.slice('docs/'.length)
      expect(site.text('mkdocs.yml')).toBe(
        files['mkdocs.yml'].replace('"z.md"', `"${name}"`).replace('- z.md', `- ${name}`),
      )
      expect(await site.findNew()).toEqual([])
    },
  )

  test('MkDocs: a plugin after the redirects', async () => {
    const files = buildMkdocs('  - other:\n      a: b\n')
    const site = await openSite(files)
    await site.run('move', { path: 'docs/g/a.md', new_path: 'docs/g/b.md' })
    expect(site.text('mkdocs.yml')).toBe(
      files['mkdocs.yml'].replace('"z.md"\n', '"z.md"\n        "g/a.md": "g/b.md"\n').replace('A: g/a.md', 'A: g/b.md'),
    )
  })

  test('MkDocs: relative links to files that do not exist yet', async () => {
    const files = {
      ...buildMkdocs(),
      'docs/g/a.md': '# A\n\n[s](../ref/settings.md#x)\n',
      '.gitignore': '/docs/ref/\n',
    }
    const site = await openSite(files)
    await site.run('move', { path: 'docs/g/a.md', new_path: 'docs/g/deep/a.md' })
    expect(site.text('docs/g/deep/a.md')).toContain('(../../ref/settings.md#x)')
    expect(await site.findNew()).toEqual([])
  })

  test('MkDocs: entries of literate-nav', async () => {
    const site = await openSite({
      'mkdocs.yml': 'site_name: Lathe\nplugins:\n  - literate-nav:\n      nav_file: SUMMARY.md\n',
      'docs/SUMMARY.md': '* [Home](index.md)\n* [Parts](parts/)\n',
      'docs/index.md': '# Lathe\n\n[Chuck](parts/chuck.md)\n',
      'docs/parts/SUMMARY.md': '* [Chuck](chuck.md)\n',
      'docs/parts/chuck.md': '# Chuck\n',
    })
    await site.run('move', { path: 'docs/parts/chuck.md', new_path: 'docs/parts/jaws.md' })
    expect(site.text('docs/parts/SUMMARY.md')).toBe('* [Chuck](jaws.md)\n')
    expect(site.text('docs/index.md')).toContain('(parts/jaws.md)')
  })

  test('a rename that changes only the case', async () => {
    const site = await openSite({
      'mkdocs.yml': 'site_name: X\nnav:\n  - index.md\n  - Guide.md\n',
      'docs/index.md': '# X\n\n[g](Guide.md)\n',
      'docs/Guide.md': '# G\n',
    })
    await site.run('move', { path: 'docs/Guide.md', new_path: 'docs/guide.md' })
    expect(site.text('docs/index.md')).toContain('(guide.md)')
    expect(site.text('mkdocs.yml')).toContain('- guide.md')
  })

  test('Nextra: a key of _meta', async () => {
    const site = await openSite({
      'package.json': '{"dependencies":{"nextra":"4.6.0","nextra-theme-docs":"4.6.0","next":"15.5.0"}}\n',
      'app/[[...mdxPath]]/page.jsx': 'export default null\n',
      'content/_meta.ts': 'export default {\n  index: "Home",\n  dates: { title: "Dates" },\n}\n',
      'content/index.mdx': '# Home\n\n[c](/dates)\n',
      'content/dates.mdx': '# Dates\n',
    })
    await site.run('move', { path: 'content/dates.mdx', new_path: 'content/calendar.mdx' })
    expect(site.text('content/_meta.ts')).toContain('  calendar: { title: "Dates" },')
    expect(site.text('content/index.mdx')).toContain('(/calendar)')
  })

  test('Hugo: an image beside the URL of a page', async () => {
    const files = {
      ...HUGO,
      'content/docs/a.md': '---\ntitle: A\n---\n\n![x](../img/x.png)\n',
      'content/docs/img/x.png': 'x',
      'content/docs/other/_index.md': '---\ntitle: O\n---\n',
    }
    const site = await openSite(files)
    await site.run('move', { path: 'content/docs/a.md', new_path: 'content/docs/other/a.md' })
    expect(site.text('content/docs/other/a.md')).toContain('(../../img/x.png)')
    expect(await site.findNew()).toEqual(['redirects content/docs/other/a.md'])
  })

  test('Fern: entries of a version, and links to a page that keeps its URL', async () => {
    const site = await openSite(FERN)
    await site.run('move', { path: 'fern/pages/v2/a.mdx', new_path: 'fern/pages/v2/z/a.mdx' })
    expect(site.text('fern/v2.yml')).toBe(FERN['fern/v2.yml'].replace('v2/a.mdx', 'v2/z/a.mdx'))
    expect(site.text('fern/pages/v2/b.mdx')).toBe(FERN['fern/pages/v2/b.mdx'])
    expect(await site.findNew()).toEqual([])
  })

  test('Fern: an entry, and links by file and by slug', async () => {
    const welcome =
      '---\ntitle: Welcome\n---\n\n[n](/release-notes) [m](./deep/notes.mdx)\n\n<Card title="Notes" href="/release-notes">x</Card>\n'
    const site = await openSite({
      'fern/fern.config.json': '{"organization":"acme","version":"0.80.0"}\n',
      'fern/docs.yml':
        'instances:\n  - url: acme.docs.buildwithfern.com\nnavigation:\n  - page: Welcome\n    path: ./pages/welcome.mdx\n  - page: Notes\n    path: ./pages/deep/notes.mdx\n',
      'fern/pages/welcome.mdx': welcome,
      'fern/pages/deep/notes.mdx': '---\ntitle: Notes\nslug: release-notes\n---\n\nText.\n',
    })
    await site.run('move', { path: 'fern/pages/deep/notes.mdx', new_path: 'fern/pages/notes.mdx' })
    expect(site.text('fern/docs.yml')).toContain('./pages/notes.mdx')
    expect(site.text('fern/pages/welcome.mdx')).toBe(welcome.replace('./deep/notes.mdx', './notes.mdx'))
  })

  test('Sphinx: the entries of a page with a toctree', async () => {
    const tree = (entries: string) => `\`\`\`{toctree}\n${entries}\n\`\`\`\n`
    const files = {
      ...SPHINX,
      'docs/index.md': `# Home\n\n${tree('a\nsub/b')}`,
      'docs/sub/b.md': `# B\n\n${tree('c')}`,
    }
    const site = await openSite(files)
    await site.run('move', { path: 'docs/sub/b.md', new_path: 'docs/b.md' })
    expect(site.text('docs/index.md')).toBe(`# Home\n\n${tree('a\nb')}`)
    expect(site.text('docs/b.md')).toBe(`# B\n\n${tree('sub/c')}`)
    expect(await site.findNew()).toEqual([])
  })
})

describe('rename_heading', () => {
  test('Hugo: ref with an anchor', async () => {
    const site = await openSite({ ...HUGO, 'content/docs/a.md': REFS })
    await site.run('rename_heading', { path: 'content/docs/b.md', heading: 'Sec', new_heading: 'Other' })
    expect(site.text('content/docs/a.md')).toBe(REFS.replace('#sec', '#other'))
  })
})

describe('delete', () => {
  test('Hugo: lists ref and relref', async () => {
    const site = await openSite({ ...HUGO, 'content/docs/a.md': REFS })
    const result = await site.run('delete', { path: 'content/docs/b.md' })
    expect(result).toContain('Links to the deleted file:\ncontent/docs/a.md:5: b\ncontent/docs/a.md:5: /docs/b.md#sec')
  })

  test('VitePress: lists includes', async () => {
    const files = {
      ...VITEPRESS,
      'docs/guide/a.md': '# A\n\n<!--@include: ./parts/p.md-->\n',
      'docs/guide/parts/p.md': 'P\n',
    }
    const site = await openSite(files)
    const result = await site.run('delete', { path: 'docs/guide/parts/p.md' })
    expect(result).toContain('Links to the deleted file:\ndocs/guide/a.md:3: ./parts/p.md')
  })

  test('Sphinx: removes the entry of a page with a toctree', async () => {
    const tree = (entries: string) => `\`\`\`{toctree}\n${entries}\n\`\`\`\n`
    const files = {
      ...SPHINX,
      'docs/index.md': `# Home\n\n${tree('a\nsub/b')}`,
      'docs/sub/b.md': `# B\n\n${tree('c')}`,
    }
    const site = await openSite(files)
    const result = await site.run('delete', { path: 'docs/sub/b.md', remove_entries: true })
    expect(site.text('docs/index.md')).toBe(`# Home\n\n${tree('a')}`)
    expect(result).toContain('Removed 1 navigation entry from docs/index.md.')
    expect(await site.findNew()).toContain('navigation docs/sub/c.md')
  })
})
