import { buildMemoryWorkspace, type MemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { diffLines } from '@corrigenda/git/workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { findSite } from '../frameworks/find-site.ts'
import { isBelow, PAGE } from '../pages/paths.ts'
import { buildRandom, SEED } from '../test-support/build-random.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'
import { applyMove } from './apply-move.ts'
import { planMove } from './plan-move.ts'

const fixtures = readSiteFixtures()
async function moveAll(
  workspace: MemoryWorkspace,
  moves: ReadonlyMap<string, string>,
  explain: (path: string) => string | null = () => null,
) {
  const plan = await planMove(workspace, moves, explain)
  await applyMove(workspace, moves, plan.writes)
  return plan
}

/** File styles: line endings and byte order mark, applied to every file. */
const STYLES: Readonly<Record<string, (text: string) => string>> = {
  LF: (text) => text,
  CRLF: (text) => text.replaceAll('\n', '\r\n'),
  'byte order mark, no final newline': (text) => `\uFEFF${text.trimEnd()}`,
}

/** Returns the number of replaced, added and removed lines. */
function compare(before: string, after: string) {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let [replaced, added, removed] = [0, 0, 0]
  for (const hunk of diffLines(a, b)) {
    const [gone, come] = [hunk.beforeEnd - hunk.beforeStart, hunk.afterEnd - hunk.afterStart]
    replaced += Math.min(gone, come)
    added += Math.max(0, come - gone)
    removed += Math.max(0, gone - come)
  }
  return { replaced, added, removed }
}

describe(`moving a random page (SEED=${SEED})`, () => {
  const { below: random } = buildRandom(SEED)
  it.each(Object.keys(fixtures) as (keyof typeof fixtures)[])(
    '%s: breaks nothing and edits nothing else',
    async (name) => {
      const styles = Object.entries(STYLES)
      styles.splice(random(styles.length), 1)
      for (const [style, apply] of styles) {
        const files = Object.fromEntries(Object.entries(fixtures[name]).map(([path, text]) => [path, apply(text)]))
        const start = await judgeRepository(buildMemoryWorkspace(files))
        const { repository } = start
        const pages = repository.paths.filter((path) => {
          const site = findSite(repository.sites, path)
          return (
            PAGE.test(path) &&
            site.content.some(({ kind, folder }) => kind === 'docs' && isBelow(path, folder)) &&
            !/SUMMARY|README|src\/pages|\/(?:fr|de)\/|snippets|index\./.test(path)
          )
        })
        const from = pages[random(pages.length)] ?? ''
        const workspace = buildMemoryWorkspace(files)
        const depth = random(3)
        const folder = from.slice(0, from.lastIndexOf('/'))
        const extension = /\.[a-z]+$/.exec(from)?.[0] ?? ''
        // Nextra's `_meta` files can only name pages in the same folder.
        const place =
          name === 'nextra' || depth === 0
            ? folder
            : depth === 1
              ? `${folder}/deeper`
              : folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))
        const to = `${place === '' ? '' : `${place}/`}moved-${random(1_000)}${extension}`
        const plan = await moveAll(workspace, new Map([[from, to]]))
        const label = `${name}, ${style}: ${from} to ${to}`
        const end = await judgeRepository(workspace)
        const left = plan.left.filter(
          (row) => !/this site has no redirects|URLs of this site cannot be determined|cannot be added/.test(row),
        )
        const isUnlisted = left[0]?.includes('no longer in the navigation') === true
        expect(left.slice(isUnlisted ? 1 : 0), label).toEqual([])
        expect(end.wrong, label).toEqual(isUnlisted ? [`pages: ${to}`] : [])
        expect(end.counts.links.yes, label).toBe(start.counts.links.yes)
        expect(end.counts.entries.yes, label).toBe(start.counts.entries.yes)
        for (const { path, before, after } of await workspace.changes()) {
          if (before === null || after === null) continue
          const [old, now] = [new TextDecoder('utf-8', { ignoreBOM: true }).decode(before), workspace.text(path)]
          const { replaced, added, removed } = compare(old, now)
          const links = plan.links.get(path) ?? 0
          const entries = plan.navigation.entries.get(path) ?? 0
          const redirects = plan.navigation.redirects.filter(({ file }) => file === path).length
          expect(replaced, `${label}: lines of ${path}`).toBeLessThanOrEqual(links + entries + redirects * 2)
          expect(removed, `${label}: ${path}`).toBe(0)
          expect(added, `${label}: ${path}`).toBeLessThanOrEqual(redirects * 6)
          expect(now.startsWith('\uFEFF')).toBe(old.startsWith('\uFEFF'))
          expect(now.endsWith('\n')).toBe(old.endsWith('\n'))
          if (style === 'CRLF') expect(now.replaceAll('\r\n', ''), label).not.toMatch(/[\r\n]/)
          else expect(now).not.toContain('\r')
        }
      }
    },
  )
})

const change = async (
  files: Record<string, string>,
  moves: Record<string, string>,
  explain?: (path: string) => string | null,
) => {
  const workspace = buildMemoryWorkspace(files)
  const plan = await moveAll(workspace, new Map(Object.entries(moves)), explain)
  return { plan, text: (path: string) => workspace.text(path), workspace }
}

describe('links', () => {
  it.each<[name: string, page: string, href: string, expected: string]>([
    ['a relative path with extension', 'b/page.md', '../a/old.md', '../c/d/new.md'],
    ['a relative path without extension', 'b/page.md', '../a/old', '../c/d/new'],
    ['a path from the same folder', 'a/page.md', './old.md', '../c/d/new.md'],
    ['a path from the same folder without a dot', 'a/page.md', 'old.md#x', '../c/d/new.md#x'],
    ['an anchor and a query', 'b/page.md', '../a/old.md?q=1#top', '../c/d/new.md?q=1#top'],
    ['a path from the repository root', 'b/page.md', '/a/old.md', '/c/d/new.md'],
    ['an escaped path to another page, unchanged', 'b/page.md', '../a/other%20page.md', '../a/other%20page.md'],
    ['an external URL, unchanged', 'b/page.md', 'https://x.example/a/old.md', 'https://x.example/a/old.md'],
  ])('keep their form: %s', async (_, page, href, expected) => {
    const files = { 'a/old.md': '# Old\n', 'a/other page.md': 'x\n', [page]: `[x](${href})\n` }
    expect((await change(files, { 'a/old.md': 'c/d/new.md' })).text(page)).toBe(`[x](${expected})\n`)
  })

  const body = (link: string) => `See [it](${link} "Title") and [again][ref] <a href="${link}">tag</a> ![i](${link})

\`[code](${link})\`

\`\`\`md
[fence](${link})
\`\`\`

    [indented](${link})

<!-- [comment](${link}) -->

<pre><a href="${link}">pre</a></pre>

[ref]: ${link} "T"
`
  it('are rewritten everywhere except in code', async () => {
    const { text, plan } = await change({ 'old.md': '# Old\n', 'page.md': body('old.md') }, { 'old.md': 'new.md' })
    const expected = body('old.md')
      .replace('(old.md "Title")', '(new.md "Title")')
      .replace('<a href="old.md">tag', '<a href="new.md">tag')
      .replace('![i](old.md)', '![i](new.md)')
      .replace('[ref]: old.md', '[ref]: new.md')
    expect(text('page.md')).toBe(expected)
    expect([...plan.links]).toEqual([['page.md', 4]])
  })

  it('are rewritten in JSX attributes and MDX imports, but not in expressions', async () => {
    const page =
      "import Old from './old.mdx'\n\n<Card href=\"/old\" to={'/old'} other=\"/old\">x</Card>\n\n{/* [c](/old) */}\n\n<Old link={path('/old')} />\n"
    const files = { 'docs.json': '{"navigation":{"pages":["old","page"]}}', 'old.mdx': '# Old\n', 'page.mdx': page }
    const { text } = await change(files, { 'old.mdx': 'sub/new.mdx' })
    expect(text('page.mdx')).toBe(
      page
        .replace('./old.mdx', './sub/new.mdx')
        .replace('href="/old"', 'href="/sub/new"')
        .replace("to={'/old'}", "to={'/sub/new'}"),
    )
  })

  it('are rewritten in MkDocs admonitions', async () => {
    const page = '# P\n\n!!! note\n    See [old](old.md).\n\n    ```\n    [x](old.md)\n    ```\n'
    const files = { 'mkdocs.yml': 'site_name: x\n', 'docs/old.md': 'x\n', 'docs/page.md': page }
    const { text } = await change(files, { 'docs/old.md': 'docs/new.md' })
    expect(text('docs/page.md')).toBe(page.replace('[old](old.md)', '[old](new.md)'))
  })

  it('in the moved page are rewritten, including links to itself, files and images', async () => {
    const own = '[self](old.md#a) [b](b.md) [up](../c.md) ![i](img/x.png) [abs](/a/b.md) [here](#a)\n'
    const files = { 'a/old.md': own, 'a/b.md': 'x\n', 'c.md': 'x\n', 'a/img/x.png': 'x' }
    const { text } = await change(files, { 'a/old.md': 'n/m/new.md' })
    expect(text('n/m/new.md')).toBe(
      '[self](new.md#a) [b](../../a/b.md) [up](../../c.md) ![i](../../a/img/x.png) [abs](/a/b.md) [here](#a)\n',
    )
  })

  it('to a moved image are rewritten', async () => {
    const files = {
      'docs.json': '{"navigation":{"pages":["p"]}}',
      'p.mdx': '![a](/img/x.png) <img src="/img/x.png" />\n',
      'img/x.png': 'x',
    }
    const { text } = await change(files, { 'img/x.png': 'pictures/x y.png' })
    expect(text('p.mdx')).toBe('![a](/pictures/x%20y.png) <img src="/pictures/x%20y.png" />\n')
  })

  it('between the pages of a moved folder stay unchanged', async () => {
    const files = {
      'a/x.md': '[y](y.md) [o](../o.md)\n',
      'a/y.md': '[x](./x.md)\n',
      'o.md': '[x](a/x.md) [y](a/y.md)\n',
    }
    const { text, plan } = await change(files, { 'a/x.md': 'b/c/x.md', 'a/y.md': 'b/c/y.md' })
    expect(text('b/c/x.md')).toBe('[y](y.md) [o](../../o.md)\n')
    expect(text('b/c/y.md')).toBe('[x](./x.md)\n')
    expect(text('o.md')).toBe('[x](b/c/x.md) [y](b/c/y.md)\n')
    expect(plan.left).toEqual([])
  })

  it('are reported when their file cannot be written', async () => {
    const files = {
      'docs.json': '{"navigation":{"pages":["old"]}}',
      'old.mdx': 'x\n',
      'p.mdx': '[x](/old)\n',
      'q.mdx': '<Old>\n[x](/old)\n',
    }
    const { plan, text } = await change(files, { 'old.mdx': 'new.mdx' }, (path) =>
      path === 'new.mdx' || path === 'old.mdx' ? null : `${path} is excluded.`,
    )
    expect(text('p.mdx')).toBe(files['p.mdx'])
    expect(plan.left.join('\n')).toMatch(/docs\.json:1: entry "old" \(docs\.json is excluded\.\)/)
    expect(plan.left.join('\n')).toContain('a redirect from /old to /new')
    expect(plan.left.join('\n')).toContain('p.mdx: 1 link (p.mdx is excluded.)')
  })

  it('stay unchanged when a write is rejected, as do all other files', async () => {
    const workspace = buildMemoryWorkspace({ 'old.md': 'x\n', 'p.md': '[x](old.md)\n', n: 'a file\n' })
    await expect(moveAll(workspace, new Map([['old.md', 'n/new.md']]))).rejects.toThrow()
    expect(await workspace.changes()).toEqual([])
  })
})

describe('redirects', () => {
  const docs = (redirects: string) => `{\n  "navigation": { "pages": ["old", "p"] }${redirects}\n}\n`
  const run = async (redirects: string) =>
    (await change({ 'docs.json': docs(redirects), 'old.mdx': 'x\n', 'p.mdx': 'x\n' }, { 'old.mdx': 'new.mdx' })).text(
      'docs.json',
    )

  it('are created when the site has no redirects', async () => {
    expect(await run('')).toBe(
      '{\n  "navigation": { "pages": ["new", "p"] },\n  "redirects": [\n    {\n      "source": "/old",\n      "destination": "/new"\n    }\n  ]\n}\n',
    )
  })

  it('are appended in the existing format, and redirects to the old URL follow the page', async () => {
    const before = ',\n  "redirects": [\n    { "source": "/older", "destination": "/old#a" }\n  ]'
    expect(await run(before)).toBe(
      docs(
        ',\n  "redirects": [\n    { "source": "/older", "destination": "/new#a" },\n    { "source": "/old", "destination": "/new" }\n  ]',
      ).replace('"old", "p"', '"new", "p"'),
    )
  })

  it('from the new URL are removed, so moving back restores the links', async () => {
    const files = {
      'docs.json': docs(',\n  "redirects": [\n    { "source": "/x", "destination": "/p" }\n  ]'),
      'old.mdx': 'x\n',
      'p.mdx': '[x](/old)\n',
    }
    const workspace = buildMemoryWorkspace(files)
    await moveAll(workspace, new Map([['old.mdx', 'new.mdx']]))
    await moveAll(workspace, new Map([['new.mdx', 'old.mdx']]))
    expect(workspace.text('p.mdx')).toBe(files['p.mdx'])
    expect(JSON.parse(workspace.text('docs.json')).redirects).toEqual([
      { source: '/x', destination: '/p' },
      { source: '/new', destination: '/old' },
    ])
  })

  it.each<[name: keyof typeof fixtures, from: string, to: string, file: string, line: string]>([
    [
      'mkdocs',
      'docs/guides/install.md',
      'docs/guides/setup.md',
      'mkdocs.yml',
      '        guides/install.md: guides/setup.md',
    ],
    [
      'docusaurus',
      'website/docs/guides/install.md',
      'website/docs/begin.md',
      'website/docusaurus.config.ts',
      "          { from: '/docs/guides/install', to: '/docs/begin' },",
    ],
    [
      'starlight',
      'src/content/docs/help/faq.md',
      'src/content/docs/help/answers.md',
      'astro.config.mjs',
      "    '/help/faq': '/help/answers/',",
    ],
  ])('are added in the format of %s', async (name, from, to, file, line) => {
    const { text } = await change(fixtures[name], { [from]: to })
    expect(text(file).split('\n')).toContain(line)
  })
})
