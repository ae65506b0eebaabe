import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planMove } from './plan-move.ts'
import { readRepository } from './read-repository.ts'
import { verifyPlan } from './verify-plan.ts'

async function move(files: Record<string, string>, from: string, to: string) {
  const workspace = buildMemoryWorkspace(files)
  const moves = new Map([[from, to]])
  const plan = await planMove(workspace, moves, () => null)
  await applyMove(workspace, moves, plan.writes)
  return { plan, text: (path: string) => workspace.text(path) }
}

const PATH = 'docs/.vitepress/config.ts'
const CONFIG = `import { x } from './blog/post'
const url = '/blog/post'
export default {
  base: '/base/',
  ignore: ['blog.md', 'blog/post.md'],
  head: [['link', { href: '/base/blog/post#top' }]],
  themeConfig: {
    footer: { columns: [{ text: '/blog/post', href: '/blog/post' }, { href: '/blog/' }, { href: '/guide' }] },
    sidebar: [{ text: 'Post', link: '/blog/post' }],
    search: { rank: (page) => page === '/blog/post', prefixes: ['/blog/', '/blog/post'] },
  },
}
`
const files = { [PATH]: CONFIG, 'docs/blog.md': '# Blog\n', 'docs/blog/post.md': '# Post\n', 'docs/guide.md': '# G\n' }

describe('texts in the configuration of a site', () => {
  it('follow a moved page outside of the navigation, and the rest is listed', async () => {
    const { plan, text } = await move(files, 'docs/blog/post.md', 'docs/news/post.md')
    expect(text(PATH)).toBe(
      CONFIG.replace("'blog/post.md'", "'news/post.md'")
        .replace('/base/blog/post#top', '/base/news/post#top')
        .replace("href: '/blog/post'", "href: '/news/post'")
        .replace("link: '/blog/post'", "link: '/news/post'")
        .replace("'/blog/', '/blog/post'", "'/blog/', '/news/post'"),
    )
    expect(plan.strings).toEqual(new Map([[PATH, 4]]))
    expect(plan.mentions.rows).toEqual([`${PATH}:2: /blog/post`, `${PATH}:8: /blog/post`, `${PATH}:10: /blog/post`])
  })

  it('follow the start page of a folder only in links', async () => {
    const { plan, text } = await move(files, 'docs/blog.md', 'docs/news.md')
    expect(text(PATH)).toBe(CONFIG.replace("'blog.md'", "'news.md'").replace("href: '/blog/'", "href: '/news/'"))
    expect(plan.mentions.rows).toEqual([`${PATH}:10: /blog/`])
  })

  it('include names without a slash in front after the key of a link', async () => {
    const config =
      "module.exports = { presets: [['classic', { docs: { routeBasePath: '/', exclude: ['a/b'] } }]], themeConfig: { navbar: { items: [{ to: 'a/b#x', label: 'a/b' }] } } }\n"
    const site = { 'docusaurus.config.js': config, 'docs/a/b.md': '# B\n', 'docs/c.md': '# C\n' }
    const { text } = await move(site, 'docs/a/b.md', 'docs/d/b.md')
    expect(text('docusaurus.config.js')).toBe(config.replace("to: 'a/b#x'", "to: 'd/b#x'"))
  })

  it('follow a moved file that the configuration includes', async () => {
    const site = {
      'docs.json': '{"navigation":{"$ref":"./nav.json"}}\n',
      'nav.json': '{"pages":["a"]}\n',
      'a.md': '# A\n',
    }
    const { text } = await move(site, 'nav.json', 'menu.json')
    expect(text('docs.json')).toBe('{"navigation":{"$ref":"./menu.json"}}\n')
  })

  it('are listed if the site would change with them', async () => {
    const config = 'site_name: X\ndocs_dir: docs\nnot_in_nav: a/b.md\nextra:\n  home: a/b.md\nnav:\n  - a/b.md\n'
    const site = { 'mkdocs.yml': config, 'docs/a/b.md': '# B\n', 'docs/index.md': '# I\n' }
    const { plan, text } = await move(site, 'docs/a/b.md', 'docs/c/b.md')
    expect(text('mkdocs.yml')).toBe(config.replace('- a/b.md', '- c/b.md'))
    expect(plan.mentions.rows).toEqual(['mkdocs.yml:3: a/b.md', 'mkdocs.yml:5: a/b.md'])
  })
})

it('a text in the configuration that would lead elsewhere is found', async () => {
  const workspace = buildMemoryWorkspace(files)
  const change = (text: string) => ({
    moves: new Map([['docs/blog/post.md', 'docs/news/post.md']]),
    entries: new Map(),
    pages: [],
    redirects: [],
    lostEntries: new Set<string>(),
    lostLinks: new Set<string>(),
    writes: new Map([[PATH, new TextEncoder().encode(config.replace('/blog/post', text))]]),
    strings: new Map([[PATH, new Map([['/blog/post', text]])]]),
  })
  const config = "export default { footer: { href: '/blog/post' } }\n"
  await workspace.write(PATH, new TextEncoder().encode(config))
  const repository = await readRepository(workspace)
  expect(await verifyPlan(workspace, repository, change('/news/post'))).toEqual([])
  expect(await verifyPlan(workspace, repository, change('/guide'))).toEqual([`${PATH}: "/guide" would lead elsewhere`])
})

it('an absolute link of a moved page to the alias of another page stays', async () => {
  const site = {
    'hugo.yaml': 'baseURL: /\n',
    'content/a.md': '---\ntitle: A\n---\n\n[B](/old-b/) [C](../c/)\n',
    'content/b.md': '---\ntitle: B\naliases: [/old-b/]\n---\n',
    'content/c.md': '---\ntitle: C\n---\n',
  }
  const { text } = await move(site, 'content/a.md', 'content/x/a.md')
  expect(text('content/x/a.md')).toContain('[B](/old-b/) [C](../../c/)')
})

it('relative links to the folder of a Hugo section follow the section', async () => {
  const site = {
    'hugo.yaml': 'baseURL: /\n',
    'content/a.md': '---\ntitle: A\n---\n\n[C](project/design/)\n',
    'content/project/_index.md': '---\ntitle: B\n---\n\n[C](design/)\n',
    'content/project/design/_index.md': '---\ntitle: C\n---\n',
  }
  const section = await move(site, 'content/project/_index.md', 'content/moved/_index.md')
  expect(section.text('content/moved/_index.md')).toContain('[C](../project/design/)')
  const target = await move(site, 'content/project/design/_index.md', 'content/project/plan/_index.md')
  expect(target.text('content/project/_index.md')).toContain('[C](plan/)')
  expect(target.text('content/a.md')).toContain('[C](project/plan/)')
})
