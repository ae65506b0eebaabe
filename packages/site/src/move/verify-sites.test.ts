import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { planDelete } from './plan-delete.ts'
import { readRepository } from './read-repository.ts'
import { toEntryKey } from './rename-entries.ts'
import { verifyPlan } from './verify-plan.ts'

/** Verifies a plan that only replaces text in one configuration file. */
async function verify(files: Record<string, string>, file: string, before: string, after: string) {
  const workspace = buildMemoryWorkspace(files)
  const text = files[file]?.replace(before, after) ?? ''
  return await verifyPlan(workspace, await readRepository(workspace), {
    moves: new Map(),
    writes: new Map([[file, new TextEncoder().encode(text)]]),
    entries: new Map(),
    lostEntries: new Set(),
    lostLinks: new Set(),
    pages: [],
    redirects: [],
  })
}

const mkdocs = {
  'mkdocs.yml': 'site_name: x\nnot_in_nav: |\n  /draft.md\ndocs_dir: docs\nnav:\n  - a.md\n',
  'docs/a.md': '# A\n',
  'other/a.md': '# A\n',
}
const starlight = {
  'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default { integrations: [starlight({
  title: 'x',
  locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } },
  sidebar: [{ label: 'G', autogenerate: { directory: 'guides' } }, { label: 'Q', items: [{ slug: 'q' }] }],
})] }
`,
  'src/content/docs/guides/a.md': '# A\n',
  'src/content/docs/q.md': '# Q\n',
}
const mintlify = { 'docs.json': '{"name":"x","navigation":{"pages":["a"]}}\n', 'a.mdx': '# A\n' }

describe('a plan is rejected if it changes', () => {
  it.each<[what: string, files: Record<string, string>, before: string, after: string, difference: RegExp]>([
    ['the mode of the navigation', mkdocs, 'nav:\n  - a.md\n', '', /change from "listed" to "all"/],
    ['the omitted pages', mkdocs, '/draft.md', '/other.md', /different pages would be omitted/],
    ['the folder of pages', mkdocs, 'docs_dir: docs', 'docs_dir: other', /docs would no longer be the same folder/],
    [
      'an automatic folder',
      starlight,
      "directory: 'guides'",
      "directory: 'other'",
      /a different folder would be added/,
    ],
    [
      'one of two automatic folders',
      {
        ...starlight,
        'astro.config.mjs': starlight['astro.config.mjs'].replace(
          "items: [{ slug: 'q' }]",
          "items: [{ autogenerate: { directory: 'more' } }]",
        ),
        'src/content/docs/more/b.md': '# B\n',
      },
      "items: [{ autogenerate: { directory: 'more' } }]",
      'items: []',
      /docs\/more would no longer be added/,
    ],
    ['the languages', starlight, "lang: 'en'", "lang: 'fr'", /the languages would change from en, de to fr, de/],
    [
      'the languages by adding one',
      {
        ...starlight,
        'astro.config.mjs': starlight['astro.config.mjs'].replace("autogenerate: { directory: 'guides' }", 'items: []'),
      },
      "'Deutsch' }",
      "'Deutsch' }, fr: { label: 'Français' }",
      /src\/content\/docs\/fr would become a folder of pages/,
    ],
    ['the syntax', mintlify, '{"name"', '{name', /docs\.json would become invalid/],
    ['a title', mintlify, '"x"', '"y"', /docs\.json:1: other text would change/],
    ['the end of the file', mintlify, '}\n', '}', /other text would change/],
  ])('%s', async (_, files, before, after, difference) => {
    const file = Object.keys(files)[0] ?? ''
    expect(files[file]).toContain(before)
    expect((await verify(files, file, before, after))[0]).toMatch(difference)
  })
})

it('a deletion removes nothing but the entry', async () => {
  const files = {
    'book.toml': '[book]\n',
    'src/SUMMARY.md': '- [A](a.md)\n- [B](b.md)\n\nText.\n',
    'src/a.md': 'x\n',
    'src/b.md': 'x\n',
  }
  const workspace = buildMemoryWorkspace(files)
  const repository = await readRepository(workspace)
  const [entry] = repository.sites[0]?.navigation.entries ?? []
  const plan = (text: string) =>
    verifyPlan(workspace, repository, {
      moves: new Map([['src/a.md', null]]),
      writes: new Map([['src/SUMMARY.md', new TextEncoder().encode(text)]]),
      entries: new Map(entry === undefined ? [] : [[toEntryKey(entry), null]]),
      lostEntries: new Set(),
      lostLinks: new Set(),
      pages: [],
      redirects: [],
    })
  expect(await plan('- [B](b.md)\n\nText.\n')).toEqual([])
  expect(await plan('- [B](b.md)\n')).toEqual(['src/SUMMARY.md: other lines would be removed'])
})

it('a deletion removes an entry that a site reads twice only once', async () => {
  const files = {
    '.vitepress/config.mts': `const items = [{ text: 'A', link: '/a' }, { text: 'B', link: '/b' }]
export default { themeConfig: { sidebar: { '/': items, '/x/': items } } }
`,
    'a.md': '# A\n',
    'b.md': '# B\n',
  }
  const plan = await planDelete(buildMemoryWorkspace(files), 'a.md', () => null, true)
  const text = new TextDecoder().decode(plan.writes.get('.vitepress/config.mts'))
  expect(text).toBe(files['.vitepress/config.mts'].replace("{ text: 'A', link: '/a' }, ", ''))
})
