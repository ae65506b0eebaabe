import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, relative, renderPage } from './render-page.ts'

/** A Docusaurus site in `website/`, TypeScript configuration, written sidebars, a blog, a translation, redirects. */
export function docusaurusSite(): Record<string, string> {
  const files: Record<string, string> = {
    'README.md': '# Harbour\n\nSee [website](website/README.md).\n',
    'website/README.md': '# Website\n\nRun `pnpm start`.\n',
    'website/package.json': '{ "name": "website", "private": true }\n',
  }
  for (const page of handbook) {
    const slug = page.slug === 'index' ? ['slug: /'] : page.slug === 'help/faq' ? ['id: questions'] : []
    const address = (target: string) =>
      target === 'index' ? '/docs/' : `/docs/${target.replace(/^help\/faq$/, 'help/questions')}`
    files[`website/docs/${page.slug}.md`] = renderPage(page, {
      // Both ways are in use: files within a folder, addresses across.
      link: (target, from) => {
        const near = target.split('/')[0] === from.split('/')[0] && from !== 'index'
        return near ? `${relative(target, from)}.md` : address(target)
      },
      image: (name) => `/img/${name}`,
      head: (shown) => frontmatter(shown, slug),
    })
  }
  files['website/docs/guides/tabs.mdx'] = `---
title: Tabs
---

import Tabs from '@theme/Tabs'

<!-- a comment that Docusaurus takes out -->

## With an id {#custom-id}

:::note

Read [install](./install.md#requirements) and [this](#custom-id).

:::

<Tabs>text</Tabs>
`
  files['website/i18n/de/docusaurus-plugin-content-docs/current/guides/install.md'] =
    '---\ntitle: Harbour installieren\n---\n\n## Requirements\n\nWeiter mit der [Konfiguration](./configure.md).\n'
  files['website/blog/2026-03-01-hello.md'] = '---\ntitle: Hello\n---\n\nThe [guide](/docs/guides/install) is out.\n'
  files['website/src/pages/team.md'] = '# Team\n\nBack to [the handbook](/docs/).\n'
  files['website/src/pages/pricing.tsx'] = 'export default function Pricing() {\n  return null\n}\n'
  for (const name of images) files[`website/static/img/${name}`] = drawing(name)
  const items = groups
    .map(({ name, folder }) => {
      const ids = pagesIn(folder).map((page) => `        '${page.slug.replace('help/faq', 'help/questions')}',`)
      const extra = folder === 'guides' ? ["        'guides/tabs',"] : []
      return `    {\n      type: 'category',\n      label: '${name}',\n      items: [\n${[...ids, ...extra].join('\n')}\n      ],\n    },`
    })
    .join('\n')
  files['website/sidebars.ts'] = `import type { SidebarsConfig } from '@docusaurus/plugin-content-docs'

// The order of the pages.
const sidebars: SidebarsConfig = {
  handbook: [
    'index',
${items}
  ],
}

export default sidebars
`
  files['website/docusaurus.config.ts'] = `import type { Config } from '@docusaurus/types'
import { themes } from 'prism-react-renderer'

const config: Config = {
  title: 'Harbour',
  url: 'https://harbour.example',
  baseUrl: '/',
  onBrokenLinks: 'throw',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [
    [
      'classic',
      {
        docs: { sidebarPath: './sidebars.ts', editUrl: 'https://git.example/harbour' },
        blog: { showReadingTime: true },
      },
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      {
        redirects: [
          { from: '/docs/setup', to: '/docs/guides/install' },
        ],
      },
    ],
  ],
  themeConfig: {
    navbar: { items: [{ type: 'docSidebar', sidebarId: 'handbook', label: 'Docs' }, { to: '/pricing', label: 'Pricing' }] },
    prism: { theme: themes.github },
  },
}

export default config
`
  return files
}
