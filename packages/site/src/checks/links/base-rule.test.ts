import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../reading/result.ts'
import { buildChecker } from '../build-checker.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const LONG = Array.from({ length: 12 }, (_, n) => `Line ${n} of a page.`).join('\n')

async function run(files: Files, edit: (workspace: MemoryWorkspace) => Promise<void>) {
  const workspace = buildMemoryWorkspace(files)
  await edit(workspace)
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return Object.fromEntries(results.map((result) => [result.name, result])) as Record<
    'links' | 'anchors' | 'images' | 'navigation' | 'redirects',
    CheckResult
  >
}

/** A site whose URLs are unknown, because a plugin may add pages. */
const site: Files = {
  'docusaurus.config.js': `module.exports = {
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],
  plugins: findPlugins(),
}
`,
  'sidebars.js': "module.exports = { docs: ['a', 'other'] }\n",
  'docs/a.md': '[b](/docs/b#setup) [c](./c) ![i](/img/i.png) [file](@site/static/f.pdf) [odd](/docs/made/by/plugin)\n',
  'docs/b.md': `# B\n\n## Setup\n\n${LONG}\n`,
  'docs/c.md': `---\nid: other\n---\n\n# C\n\n${LONG}\n`,
  'static/img/i.png': 'png',
  'static/f.pdf': 'pdf',
}

describe('in a site whose URLs are unknown', () => {
  it.each<[what: string, check: 'links' | 'images' | 'navigation', edit: (w: MemoryWorkspace) => Promise<void>]>([
    ['the page of an absolute link is deleted', 'links', (w) => w.remove('docs/b.md')],
    ['the page of an absolute link is moved', 'links', (w) => w.move('docs/b.md', 'docs/x/b.md')],
    ['the page of a relative link is deleted', 'links', (w) => w.remove('docs/c.md')],
    ['the file of an alias is deleted', 'links', (w) => w.remove('static/f.pdf')],
    ['an image is deleted', 'images', (w) => w.remove('static/img/i.png')],
    ['the linking page is moved', 'links', (w) => w.move('docs/a.md', 'docs/x/a.md')],
  ])('a link is broken if %s', async (_, check, edit) => {
    const result = (await run(site, edit))[check]
    expect(result).toMatchObject({ status: 'failed', introduced: 1 })
  })
  it('an entry is broken if its page is deleted', async () => {
    const { navigation } = await run(site, (w) => w.remove('docs/c.md'))
    expect(navigation.findings).toMatchObject([{ message: expect.stringContaining('"other"') }])
  })
  it('a new link is not judged, and the note of the check gives the reason', async () => {
    const { links } = await run(site, (w) =>
      w.write('docs/b.md', encode(`# B\n\n## Setup\n\n[x](/docs/nowhere)\n\n${LONG}\n`)),
    )
    expect(links).toMatchObject({ status: 'skipped', introduced: 0 })
    expect(links.note).toContain('1 link in the Docusaurus site was not checked')
  })
  it('the link may lead elsewhere now, through a redirect pattern', async () => {
    const { links } = await run({ ...site, 'static/_redirects': '/docs/b* https://x.example/:splat\n' }, (w) =>
      w.remove('docs/b.md'),
    )
    expect(links).toMatchObject({ introduced: 0 })
  })
})

describe('the destination of a link is replaced', () => {
  const edit = (text: string) => run(site, (w) => w.write('docs/a.md', encode(text)))
  const rest = '[c](./c) ![i](/img/i.png) [file](@site/static/f.pdf) [odd](/docs/made/by/plugin)\n'

  it('by one that is not judged, which is reported but fails no job', async () => {
    const { links } = await edit(`[b](/docs/nowhere) ${rest}`)
    expect(links.findings).toMatchObject([{ advisory: true, message: expect.stringContaining('"/docs/nowhere"') }])
  })
  it.each([
    ['another text', '[new](/docs/nowhere)'],
    ['this text twice', '[b](/docs/nowhere) [b](/docs/nothing)'],
    ['another site', '[b](https://x.example/)'],
  ])('and the link has %s', async (_, link) => {
    expect((await edit(`${link} ${rest}`)).links).toMatchObject({ introduced: 0 })
  })
  it.each([
    ['next to another link of this text', '[b](/docs/nowhere) [b](./c)', '[b](/docs/b#setup) [b](./c)'],
    ['in a tag', '<a class="x" href="/docs/nowhere">b</a>', '<a class="x" href="/docs/b">b</a>'],
  ])('%s', async (_, link, before) => {
    const { links } = await run({ ...site, 'docs/a.md': `${before} ${rest}` }, (w) =>
      w.write('docs/a.md', encode(`${link} ${rest}`)),
    )
    expect(links).toMatchObject({ introduced: 1 })
  })
  it('and did not lead to a page before', async () => {
    const { links } = await edit(`[b](/docs/b#setup) ${rest.replace('/docs/made/by/plugin', '/docs/made/it')}`)
    expect(links).toMatchObject({ introduced: 0 })
  })
  it('by an anchor that is not judged', async () => {
    const files = { 'a.md': '[s](./b.md#setup)\n', 'b.md': '# B\n\n## Setup\n\n{{ include }}\n' }
    const { anchors } = await run(files, (w) => w.write('a.md', encode('[s](./b.md#gone)\n')))
    expect(anchors).toMatchObject({ introduced: 1 })
  })
})

describe('the page of a link to a Nextra site is deleted', () => {
  const files: Files = {
    'app/_meta.js': 'export default {}\n',
    'app/page.mdx': '[x](/docs/x)\n',
    'app/docs/x/page.mdx': `# X\n\n${LONG}\n`,
    'app/api/[name]/page.tsx': 'x\n',
  }
  const replace = (path: string | null) =>
    run(path === null ? { ...files, 'app/docs/[name]/page.tsx': 'x\n' } : files, async (w) => {
      await w.remove('app/docs/x/page.mdx')
      if (path !== null) await w.write(path, encode('x\n'))
    })
  it('and a dynamic route that may serve its URL is added', async () => {
    const { links, redirects } = await replace('app/docs/[name]/page.tsx')
    expect([links.introduced, redirects.introduced]).toEqual([0, 0])
  })
  it.each([
    ['another dynamic route is added', 'app/blog/[name]/page.tsx'],
    ['the dynamic route existed', null],
  ])('and %s', async (_, path) => {
    const { links, redirects } = await replace(path)
    expect([links.introduced, redirects.introduced]).toEqual([1, 1])
  })
})

describe('an anchor on a page that may contain other anchors', () => {
  const open: Files = {
    'a.md': '[s](./b.md#setup) [other](./b.md#other)\n',
    'b.md': `# B\n\n## Setup\n\n<script>x</script>\n\n{{ include }}\n\n${LONG}\n`,
  }
  it('is broken if its heading is renamed', async () => {
    const { anchors } = await run(open, (w) => w.write('b.md', encode(`# B\n\n## Install\n\n{{ include }}\n`)))
    expect(anchors.findings).toMatchObject([{ file: 'a.md', message: expect.stringContaining('"setup"') }])
  })
  it('is not judged if the heading moves to another file, which the page may include', async () => {
    const { anchors } = await run(open, async (w) => {
      await w.write('b.md', encode(`# B\n\n{{ include }}\n`))
      await w.write('part.md', encode('## Setup\n'))
    })
    expect(anchors).toMatchObject({ status: 'skipped', introduced: 0 })
    expect(anchors.note).toContain('2 of 2 links to headings were not checked')
  })
})

describe('a moved page', () => {
  const pages: Files = {
    'docs.json': '{"navigation":{"pages":["a","b"]}}',
    'a.mdx': '[gone](/b#gone)\n',
    'b.mdx': `# B\n\n${LONG}\n`,
  }
  it('does not make an older missing anchor new in the pages that link to it', async () => {
    const { anchors } = await run(pages, async (w) => {
      await w.move('b.mdx', 'x/b.mdx')
      await w.write('a.mdx', encode('[gone](/x/b#gone)\n'))
    })
    expect(anchors).toMatchObject({ introduced: 0, preexisting: 1 })
  })
  it('keeps the URL of a translation if Starlight shows the main language there', async () => {
    const files: Files = {
      'astro.config.mjs':
        'import starlight from "@astrojs/starlight"\nexport default { integrations: [starlight({ locales: { root: {}, es: {} }, redirects: {} })] }\n',
      'public/_redirects': '/old/ /a/\n',
      'src/content/docs/a.md': '# A\n',
      'src/content/docs/es/a.md': '# A\n',
      'src/content/docs/b.md': '# B\n',
      'src/content/docs/es/c.md': '# C\n',
    }
    const remove = async (path: string) => (await run(files, (w) => w.remove(path))).redirects.introduced
    expect(await remove('src/content/docs/es/a.md')).toBe(0)
    expect(await remove('src/content/docs/es/c.md')).toBe(1)
  })
  it.each(['docs/_part.md', 'docs/[slug].md'])('needs no redirect if it has no URL: %s', async (path) => {
    const known = { ...site, 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }\n" }
    const move = (from: string) =>
      run({ ...known, [from]: `${LONG}\n` }, (w) => w.move(from, from.replace('docs/', 'docs/x/')))
    expect((await move('docs/page.md')).redirects).toMatchObject({ introduced: 1 })
    expect((await move(path)).redirects).toMatchObject({ introduced: 0 })
  })
})

it('a shortcode in front of a heading of Hugo does not change its id', async () => {
  const files = { 'hugo.yaml': '', 'content/a.md': '# A\n\n[x](#with-ai)\n\n## With AI?\n' }
  const edit = (heading: string) =>
    run(files, (workspace) =>
      workspace.write('content/a.md', encode(files['content/a.md'].replace('## With AI?', heading))),
    )
  expect((await edit('## {{% icon robot %}} With AI?')).anchors).toMatchObject({ introduced: 0 })
  expect((await edit('## {{% icon robot %}} Without AI?')).anchors).toMatchObject({ introduced: 1 })
})

it('a file that is not read and not a page of the site does not prevent the check of entries', async () => {
  const starlight: Files = {
    'astro.config.mjs':
      "import s from '@astrojs/starlight'\nexport default { integrations: [s({ sidebar: ['guides/a', 'guides/b'] })] }\n",
    'src/content/docs/guides/a.md': '---\ntitle: A\n---\n',
    'src/content/docs/guides/b.md': '---\ntitle: B\n---\n',
    'tests/fixtures/x.md': '# X\n',
  }
  const { navigation } = await run(starlight, (w) =>
    w.write('astro.config.mjs', encode(String(starlight['astro.config.mjs']).replace('guides/b', 'guides/bb'))),
  )
  expect(navigation.findings).toMatchObject([{ message: expect.stringContaining('"guides/bb"') }])
})
