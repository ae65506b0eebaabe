import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, renderPage } from './render-page.ts'

/** VitePress in `docs/`: a sidebar per folder in a file of its own, a second language. */
export function vitepressSite(): Record<string, string> {
  const files: Record<string, string> = { 'package.json': '{ "name": "harbour", "private": true }\n' }
  for (const page of handbook) {
    files[`docs/${page.slug}.md`] = renderPage(page, {
      link: (target, from) => (from.startsWith('help/') ? `/${target}.html` : `/${target === 'index' ? '' : target}`),
      image: (name) => `/${name}`,
      head: (shown) => `${frontmatter(shown)}# ${shown.title}\n\n`,
    })
  }
  files['docs/guides/containers.md'] = `# Containers

::: tip Careful
Read [install](./install) and [limits](../reference/limits.md#memory).
:::

\`\`\`js-vue
{{ value }} // [not a link](./nowhere)
\`\`\`

## With an id {#own-id}

Up to [this](#own-id).
`
  files['docs/de/index.md'] = '# Handbuch\n\nZur [Installation](/de/guides/install).\n'
  files['docs/de/guides/install.md'] =
    '# Installation\n\nZurück zum [Handbuch](/de/), englisch: [Install](/guides/install).\n'
  for (const name of images) files[`docs/public/${name}`] = drawing(name)
  const sections = groups
    .map(({ name, folder }) => {
      const rows = pagesIn(folder).map((page) => `        { text: '${page.title}', link: '/${page.slug}' },`)
      const extra = folder === 'guides' ? ["        { text: 'Containers', link: '/guides/containers' },"] : []
      return `    {\n      text: '${name}',\n      items: [\n${[...rows, ...extra].join('\n')}\n      ],\n    },`
    })
    .join('\n')
  files['docs/.vitepress/sidebar.ts'] = `import type { DefaultTheme } from 'vitepress'

export const sidebar: DefaultTheme.Sidebar = {
  '/': [
${sections}
  ],
  '/de/': [{ text: 'Anleitungen', items: [{ text: 'Installation', link: '/de/guides/install' }] }],
}
`
  files['docs/.vitepress/config.mts'] = `import { defineConfig } from 'vitepress'
import { sidebar } from './sidebar'

// https://vitepress.dev/reference/site-config
export default defineConfig({
  title: 'Harbour',
  cleanUrls: true,
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de', link: '/de/' },
  },
  markdown: { config: (md) => { md.set({ linkify: false }) } },
  themeConfig: {
    nav: [{ text: 'Guides', link: '/guides/install', activeMatch: '/guides/' }],
    sidebar,
    socialLinks: [{ icon: 'github', link: 'https://git.example/harbour' }],
  },
})
`
  return files
}
