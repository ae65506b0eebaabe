import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, renderPage } from './render-page.ts'

/** Astro Starlight: a sidebar with a generated group, a language that is only partly translated, redirects in the configuration. */
export function starlightSite(): Record<string, string> {
  const files: Record<string, string> = { 'package.json': '{ "name": "harbour", "private": true }\n' }
  for (const page of handbook) {
    const extension = page.slug.startsWith('reference/') ? 'mdx' : 'md'
    files[`src/content/docs/${page.slug}.${extension}`] = renderPage(page, {
      link: (target) => `/${target === 'index' ? '' : `${target}/`}`,
      image: (name, from) => `${'../'.repeat(from.split('/').length + 1)}assets/${name}`,
      head: (shown) => frontmatter(shown),
    })
  }
  files['src/content/docs/fr/index.md'] =
    '---\ntitle: Manuel\n---\n\nVoir [installation](/fr/guides/install/) et [limites](/fr/reference/limits/).\n'
  files['src/content/docs/fr/guides/install.md'] =
    '---\ntitle: Installer\n---\n\nRetour au [manuel](../../) ou [configurer](../configure/).\n'
  files['src/content/docs/guides/steps.mdx'] = `---
title: Steps
sidebar:
  order: 9
---

import { Card, LinkCard } from '@astrojs/starlight/components'

<LinkCard title="Install" href="/guides/install/" />

{/* [not a link](/nowhere/) */}

:::note
Relative: [restore](../restore/).
:::
`
  for (const name of images) files[`src/assets/${name}`] = drawing(name)
  files['public/favicon.svg'] = drawing('icon')
  const sections = groups
    .filter(({ folder }) => folder !== 'guides')
    .map(({ name, folder }) => {
      const rows = pagesIn(folder).map((page) => `            { label: '${page.title}', slug: '${page.slug}' },`)
      return `        {\n          label: '${name}',\n          items: [\n${rows.join('\n')}\n          ],\n        },`
    })
    .join('\n')
  files['astro.config.mjs'] = `// @ts-check
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: 'https://harbour.example',
  redirects: {
    '/setup': '/guides/install/',
  },
  integrations: [
    starlight({
      title: 'Harbour',
      social: [{ icon: 'github', label: 'Code', href: 'https://git.example/harbour' }],
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        fr: { label: 'Français' },
      },
      sidebar: [
        { label: 'Guides', autogenerate: { directory: 'guides' } },
${sections}
      ],
    }),
  ],
})
`
  return files
}
