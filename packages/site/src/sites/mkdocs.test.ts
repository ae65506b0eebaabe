import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

const judge = (files: Readonly<Record<string, string>>) => judgeRepository(buildMemoryWorkspace(files))
const NAV = 'nav:\n  - index.md\n'

describe('MkDocs with the blog plugin', () => {
  it.each([
    ['plugins:\n  - blog\n', 'blog'],
    ['plugins:\n  blog:\n    blog_dir: news\n', 'news'],
    ['plugins:\n  - material/blog:\n      blog_dir: news\n      post_dir: "{blog}/entries"\n', 'news'],
  ])('judges everything but the posts: %j', async (plugins, folder) => {
    const posts = plugins.includes('entries') ? 'entries' : 'posts'
    const { wrong, repository } = await judge({
      'mkdocs.yml': `${NAV}  - ${folder}/index.md\n${plugins}`,
      'docs/index.md': '[a](gone.md)\n',
      [`docs/${folder}/index.md`]: '# Blog\n',
      [`docs/${folder}/${posts}/first.md`]: '# First\n',
      'docs/orphan.md': '# Orphan\n',
    })
    expect(wrong).toEqual(['links: docs/index.md gone.md', 'pages: docs/orphan.md'])
    expect(repository.sites[0]?.addresses).toBe('known')
  })
})

describe('MkDocs with one folder per language', () => {
  const site = {
    'docs/en/mkdocs.yml': `${NAV}  - guide.md\nextra:\n  alternate:\n    - link: /\n      name: en\n    - link: /de/\n      name: de\n    - link: /fr/\n      name: fr\n    - link: /extra/\n    - link: /__proto__/\n`,
    'docs/en/docs/index.md': '[g](guide.md)\n',
    'docs/en/docs/guide.md': '![i](img/a.png)\n',
    'docs/en/docs/img/a.png': 'x',
    'docs/de/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
    'docs/de/docs/index.md': '[g](guide.md) ![i](img/a.png) [x](gone.md)\n',
    'docs/fr/docs/guide.md': '[g](index.md)\n',
    'docs/extra/docs/note.md': 'x\n',
    'docs/fr/docs/old.md': '# Removed from the main language\n',
  }
  it('recognizes every language, and links fall back to the main language', async () => {
    const { wrong, repository } = await judge(site)
    expect(repository.sites.map(({ config }) => config)).toEqual(['docs/en/mkdocs.yml', null])
    expect(repository.sites[0]?.languages).toEqual(['en', 'de', 'fr'])
    expect(wrong).toEqual(['links: docs/de/docs/index.md gone.md'])
  })

  it('reads the configuration of a language on its own if the main one does not list it', async () => {
    const { repository } = await judge({
      ...site,
      'docs/it/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
      'docs/it/docs/index.md': 'x\n',
      'docs/it/docs/guide.md': 'x\n',
    })
    expect(repository.sites.map(({ config }) => config)).toEqual(['docs/en/mkdocs.yml', 'docs/it/mkdocs.yml', null])
    expect(repository.sites[1]?.navigation.entries.map(({ isShared }) => isShared)).toEqual([true, true])
  })
})

describe('MkDocs with the i18n plugin', () => {
  const plugin = (structure: string) =>
    `plugins:\n  - i18n:\n      docs_structure: ${structure}\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n`

  it('reads one folder per language', async () => {
    const { wrong, repository } = await judge({
      'mkdocs.yml': `${NAV}  - guide.md\n${plugin('folder')}`,
      'docs/en/index.md': '[g](guide.md)\n',
      'docs/en/guide.md': 'x\n',
      'docs/en/orphan.md': 'x\n',
      'docs/fr/index.md': '[g](guide.md) [x](gone.md)\n',
    })
    expect(repository.sites[0]?.languages).toEqual(['en', 'fr'])
    expect([...wrong].sort()).toEqual(['links: docs/fr/index.md gone.md', 'pages: docs/en/orphan.md'])
  })

  it('reads one suffix per language', async () => {
    const { wrong, counts } = await judge({
      'mkdocs.yml': `${NAV}  - guide.md\n${plugin('suffix')}`,
      'docs/index.md': '[g](guide.md)\n',
      'docs/guide.en.md': '[g](index.md)\n',
      'docs/index.fr.md': '[g](guide.md) [h](/fr/) [x](gone.md)\n',
    })
    expect(wrong).toEqual(['links: docs/index.fr.md gone.md'])
    expect(counts.links.yes).toBe(4)
  })
})

it('MkDocs settings that exclude pages, add folders of snippets or inherit twice', async () => {
  const { wrong } = await judge({
    'mkdocs.yml':
      'INHERIT: config/a.yml\ndocs_dir: docs\nexclude_docs: |\n  drafts/\nnot_in_nav: |\n  /hidden.md\n  !/x.md\n',
    'config/a.yml':
      'INHERIT: b.yml\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [docs/parts, docs, !relative]\n',
    'config/b.yml': NAV,
    'docs/index.md': '[d](drafts/a.md) [h](hidden.md)\n',
    'docs/drafts/a.md': '[x](gone.md)\n',
    'docs/hidden.md': 'x\n',
    'docs/x.md': 'x\n',
    'docs/parts/note.md': 'x\n',
    'docs/templates/t.md': 'x\n',
  })
  expect(wrong).toEqual(['pages: docs/x.md'])
})

it('navigation files in folders (awesome-nav, awesome-pages) name pages', async () => {
  const { wrong, repository } = await judge({
    'mkdocs.yml': 'plugins:\n  - awesome-nav\n',
    'docs/.nav.yml': 'nav:\n  - index.md\n  - Guide: guide/\n  - "*"\n  - gone.md\n  - https://example.com\n',
    'docs/guide/.pages': 'nav:\n  - ...\n  - Start: start.md\n',
    'docs/index.md': 'x\n',
    'docs/guide/start.md': 'x\n',
  })
  expect(wrong).toEqual(['entries: docs/.nav.yml:5 gone.md'])
  const [site] = repository.sites
  const entry = site?.navigation.entries.at(-1)
  if (site === undefined || entry === undefined) throw new Error('no entry')
  expect(findEntryPages(repository.index, site, entry).paths).toEqual(['docs/guide/start.md'])
  const place = { site, like: entry, content: site.content[0] ?? null, facts: null }
  expect(site.framework.toEntry({ ...place, page: 'docs/guide/b.md' })).toBe('b.md')
  expect(site.framework.toEntry({ ...place, page: 'docs/b.md' })).toBeNull()
})
