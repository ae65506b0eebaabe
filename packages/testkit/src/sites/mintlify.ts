import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, renderPage } from './render-page.ts'

/** A Mintlify site in `docs/` of a program's repository: tabs, a `$ref` for redirects, a second language, snippets, components. */
export function mintlifySite(): Record<string, string> {
  const files: Record<string, string> = {
    'README.md': '# Harbour\n\nThe [documentation](docs/index.mdx).\n',
    'src/main.go': 'package main\n',
  }
  for (const language of ['', 'fr/']) {
    for (const page of handbook) {
      const text = renderPage(page, {
        link: (slug) => `/${language}${slug === 'index' ? '' : slug}`,
        image: (name) => `/images/${name}`,
        head: (shown) => frontmatter(shown),
      })
      if (language === '' || page.slug.startsWith('guides/') || page.slug === 'index')
        files[`docs/${language}${page.slug}.mdx`] = text
    }
  }
  for (const slug of [
    'index',
    'guides/install',
    'guides/configure',
    'guides/restore',
    'guides/monitor',
    'guides/upgrade',
  ]) {
    const path = `docs/fr/${slug}.mdx`
    files[path] = (files[path] ?? '').replace(/\]\(\/fr\/(?!guides|\))/g, '](/')
  }
  files['docs/guides/cards.mdx'] = `---
title: Overview of guides
---

import Note from '/snippets/note.mdx'

<Note />

<CardGroup cols={2}>
  <Card title="Install" href="/guides/install">
    Get the program.
  </Card>
  <Card title="Restore" href="/guides/restore#restore-it" icon="rotate-left">
    Bring data back.
  </Card>
</CardGroup>

<img src="/images/overview.svg" alt="Overview" />
`
  files['docs/snippets/note.mdx'] = 'Harbour 2.1 is the newest version.\n'
  for (const name of images) files[`docs/images/${name}`] = drawing(name)
  const listed = (language: string) => ({
    groups: [
      { group: 'Start', pages: [`${language}index`] },
      ...groups
        .map(({ name, folder }) => ({ group: name, pages: pagesIn(folder).map((page) => `${language}${page.slug}`) }))
        .map((group) =>
          language === '' && group.group === 'Guides' ? { ...group, pages: ['guides/cards', ...group.pages] } : group,
        )
        .filter((group) => language === '' || group.group === 'Guides'),
    ],
  })
  const config = {
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Harbour',
    colors: { primary: '#0a5' },
    navigation: {
      languages: [
        { language: 'en', tabs: [{ tab: 'Documentation', ...listed('') }] },
        { language: 'fr', tabs: [{ tab: 'Documentation', ...listed('fr/') }] },
      ],
      global: { anchors: [{ anchor: 'Community', href: 'https://harbour.example/community' }] },
    },
    redirects: { $ref: './redirects.json' },
  }
  files['docs/docs.json'] = `${JSON.stringify(config, null, 2)}\n`
  files['docs/redirects.json'] = `${JSON.stringify(
    [
      { source: '/setup', destination: '/guides/install' },
      { source: '/v1/:slug*', destination: '/:slug*' },
    ],
    null,
    2,
  )}\n`
  return files
}
