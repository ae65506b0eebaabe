import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { heading, relative, renderPage } from './render-page.ts'

/** MkDocs with Material: tags that only Python can read, anchors and comments in the configuration, redirects, a page left out on purpose. */
export function mkdocsSite(): Record<string, string> {
  const files: Record<string, string> = { 'README.md': '# Harbour\n\n[Documentation](docs/index.md)\n' }
  for (const page of handbook) {
    files[`docs/${page.slug}.md`] = renderPage(page, {
      link: (target, from) => `${relative(target, from).replace(/^\.\//, '')}.md`,
      image: (name, from) => `${'../'.repeat(from.split('/').length - 1)}assets/${name}`,
      head: heading,
    })
  }
  files['docs/guides/notes.md'] = `# Notes

!!! note "Careful"
    Read [install](install.md) first, then [limits].

    \`\`\`md
    [not a link](nowhere.md)
    \`\`\`

[limits]: ../reference/limits.md "Limits"
`
  files['docs/drafts/idea.md'] = '# Idea\n\nNot published. See [home](../index.md).\n'
  for (const name of images) files[`docs/assets/${name}`] = drawing(name)
  const nav = groups
    .map(({ name, folder }) => {
      const pages = pagesIn(folder).map((page) => `      - ${page.title}: ${page.slug}.md`)
      const extra = folder === 'guides' ? ['      - guides/notes.md # no title: its heading is used'] : []
      return `  - ${name}:\n${[...pages, ...extra].join('\n')}`
    })
    .join('\n')
  files['mkdocs.yml'] = `site_name: Harbour
site_url: !ENV [SITE_URL, 'https://harbour.example/']

# Theme
theme: &theme
  name: material
  features:
    - navigation.tabs

markdown_extensions:
  - admonition
  - pymdownx.emoji:
      emoji_generator: !!python/name:material.extensions.emoji.to_svg

plugins:
  - search
  - redirects:
      redirect_maps:
        setup.md: guides/install.md

nav:
  - Home: 'index.md'
${nav}
  - Community: https://harbour.example/community

not_in_nav: |
  /drafts/
`
  return files
}
