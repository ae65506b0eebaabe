import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { resolvePageLink } from '../links/resolve-page-link.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

const judge = (files: Readonly<Record<string, string>>) => judgeRepository(buildMemoryWorkspace(files))
const PAGES = {
  'content/_index.md': '[a](/docs/a/) [b](docs/b/) [gone](/docs/gone/)\n',
  'content/docs/_index.md': '---\ntitle: Docs\n---\n',
  'content/docs/a.md': '![i](/images/i.png)\n',
  'content/docs/b/index.md': '![i](i.png) [a](../a/)\n',
  'content/docs/b/i.png': 'x',
  'static/images/i.png': 'x',
}
const wrongOf = ['links: content/_index.md /docs/gone/']

describe('Hugo', () => {
  it.each<[name: string, text: string]>([
    ['hugo.toml', 'baseURL = "https://example.com/"\n'],
    ['hugo.yaml', 'title: x\n'],
    ['hugo.json', '{}'],
    ['config.toml', 'baseurl = "https://example.com/"\n'],
    ['config.yaml', 'baseURL: https://example.com/\n'],
    ['config/_default/hugo.yaml', 'baseURL: https://example.com/\n'],
    ['config/_default/config.toml', 'title = "x"\n'],
  ])('reads %s', async (path, text) => {
    const { wrong, repository } = await judge({ ...PAGES, [path]: text })
    expect(repository.sites.map(({ framework }) => framework.name)).toEqual(['hugo', 'plain'])
    expect(repository.sites[0]?.root).toBe('')
    expect(wrong).toEqual(wrongOf)
  })

  it.each<[name: string, files: Record<string, string>]>([
    ['a configuration of another tool', { ...PAGES, 'config.toml': 'base_url = "https://example.com"\n' }],
    ['a theme without pages', { 'theme/hugo.yaml': 'params: {}\n', 'a.md': 'x\n' }],
    ['other TOML', { 'content/a.md': 'x\n', '.cargo/config.toml': '[build]\n' }],
  ])('is not %s', async (_, files) => {
    const { repository } = await judge(files)
    expect(repository.sites.map(({ framework }) => framework.name)).toEqual(['plain'])
  })

  it('reports a configuration that does not parse', async () => {
    const { wrong } = await judge({ 'hugo.toml': 'a = [\n', 'content/a.md': '[x](/gone/)\n' })
    expect(wrong).toEqual([expect.stringMatching(/^fault: hugo.toml /)])
  })

  it.each<[front: string, links: string]>([
    ['---\nslug: other\n---\n', '/docs/other/'],
    ['---\nurl: /x/y/\n---\n', '/x/y/'],
    ['+++\nurl = "/x/y/"\n+++\n', '/x/y/'],
    ['---\naliases:\n  - /old/\n  - "/older/"\n---\n', '/docs/page/ /old/ /older/'],
    ['---\naliases: [old]\n---\n', '/docs/old/'],
    ['---\naliases:\n  - /old/ # since 2020\n  - "/#/x/" # odd\n---\n', '/docs/page/ /old/'],
    ['+++\naliases = [\n  "/old/",\n  "/older/",\n]\n+++\n', '/docs/page/ /old/ /older/'],
  ])('front matter %j determines the URL', async (front, links) => {
    const { wrong } = await judge({
      'hugo.toml': '',
      'content/docs/Page.md': front,
      'content/_index.md': [...links.split(' '), '/docs/nothing/'].map((link) => `[x](${link})`).join(' '),
    })
    expect(wrong).toEqual(['links: content/_index.md /docs/nothing/'])
  })

  it('merges a file in the root with the configuration folder', async () => {
    const { repository } = await judge({
      'hugo.toml': 'title = "x"\n',
      'config/_default/languages.toml': '[en]\ncontentDir = "content/en"\n',
      'content/en/_index.md': '# A\n',
    })
    expect(repository.sites.map(({ framework }) => framework.name)).toEqual(['hugo', 'plain'])
    expect(repository.sites[0]?.content[0]?.folder).toBe('content/en')
  })

  it('languages are folders, suffixes of names, or mounts', async () => {
    const folders = await judge({
      'hugo.yaml': 'languages:\n  en:\n    contentDir: content/en\n  fr:\n    contentDir: content/fr\n',
      'content/en/a.md': '[a](/a/) [f](/fr/a/) [x](/fr/b/)\n',
      'content/en/b.md': 'x\n',
      'content/fr/a.md': 'x\n',
    })
    expect(folders.wrong).toEqual(['links: content/en/a.md /fr/b/'])
    const suffixes = await judge({
      'config/_default/hugo.toml': '',
      'config/_default/languages.toml': '[en]\n[fr]\n',
      'content/a.md': '[f](/fr/a/) [x](/fr/b/)\n',
      'content/a.fr.md': 'x\n',
    })
    expect(suffixes.wrong).toEqual(['links: content/a.md /fr/b/'])
    const mounts = await judge({
      'hugo.yaml':
        'languages: {en: {}, fr: {}}\nmodule:\n  mounts:\n    - {source: text/en, target: content, sites: {matrix: {languages: [en, fr]}}}\n    - {source: text/fr, target: content, lang: fr}\n    - {source: a.png, target: content/a/b.png}\n',
      'text/en/a.md': '[f](/fr/a/) [b](/fr/b/) [x](/fr/c/)\n',
      'text/en/b.md': 'x\n',
      'text/fr/a.md': 'x\n',
    })
    expect(mounts.wrong).toEqual(['links: text/en/a.md /fr/c/'])
    const twice = await judge({
      'hugo.yaml':
        'languages: {en: {}, xx: {}}\nmodule:\n  mounts:\n    - {source: text/en, target: content}\n    - {source: text/en, target: content, lang: xx}\n',
      'text/en/a.md': '[b](/b/) [b](/xx/b/) [c](/c/)\n',
      'text/en/b.md': 'x\n',
    })
    expect(twice.wrong).toEqual(['links: text/en/a.md /c/'])
    const files = await judge({
      'hugo.yaml':
        'module: {mounts: [{source: content, target: content}, {source: README.md, target: content/r.md}]}\n',
      'content/a.md': '[r](r.md) [s](/r/) [gone](gone.md) [gone](/gone/)\n',
    })
    expect(files.wrong).toEqual(['links: content/a.md gone.md', 'links: content/a.md /gone/'])
  })

  it('sections with permalinks and lists of terms are not judged', async () => {
    const { wrong } = await judge({
      'hugo.yaml': 'permalinks:\n  blog: /news/:year/:slug/\ntaxonomies:\n  topic: topics\n',
      'content/blog/one.md': '[x](gone.md)\n',
      'content/a.md': '[n](/news/2024/one/) [t](/topics/x/) [g](/tags/x/) [gone](/gone/)\n',
    })
    expect(wrong).toEqual(['links: content/a.md /gone/', 'links: content/blog/one.md gone.md'])
  })

  it('templates of pages are not judged', async () => {
    const { wrong } = await judge({
      'hugo.yaml': '',
      'content/a.md': 'x\n',
      'archetypes/default.md': '---\ntitle: {{ x }}\n---\n[x](gone.md)\n',
      'themes/x/layouts/_shortcodes/y.md': '[x](gone.md)\n',
    })
    expect(wrong).toEqual([])
  })
})

describe('references of Hugo', () => {
  it.each<[href: string, path: string | null]>([
    ['b', 'content/docs/b.md'],
    ['b.md#x', 'content/docs/b.md'],
    ['/docs/b', 'content/docs/b.md'],
    ['deep/c', 'content/other/deep/c/index.md'],
    ['other', 'content/other/_index.md'],
    ['gone', null],
    ['/b', 'content/docs/b.md'],
    ['constructor', null],
  ])('%s names %s', async (href, path) => {
    const { repository } = await judge({
      'hugo.yaml': '',
      'content/docs/a.md': 'x\n',
      'content/docs/b.md': 'x\n',
      'content/other/_index.md': 'x\n',
      'content/other/deep/c/index.md': 'x\n',
    })
    const target = resolvePageLink(repository.index, 'content/docs/a.md', { kind: 'link', notation: 'ref', href })
    expect(target.verdict).toBe(path === null ? 'no' : 'yes')
    expect(target.paths).toEqual(path === null ? [] : [path])
    expect(target.anchor).toBe(href.includes('#x') ? 'x' : null)
  })

  it('in pages outside the content are unknown', async () => {
    const { repository } = await judge({ 'hugo.yaml': '', 'content/a.md': 'x\n', 'notes.md': 'x\n' })
    const link = { kind: 'link', notation: 'ref', href: 'gone' } as const
    expect(resolvePageLink(repository.index, 'notes.md', link).verdict).toBe('unknown')
  })
})
