import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, relative, renderPage } from './render-page.ts'

/** Fern: tabs, sections and pages in `fern/docs.yml`, an API reference that is generated, redirects. */
export function fernSite(): Record<string, string> {
  const files: Record<string, string> = {
    'README.md': '# Harbour\n',
    'fern/fern.config.json': '{ "organization": "harbour", "version": "0.40.0" }\n',
    'fern/openapi/openapi.yml': 'openapi: 3.1.0\ninfo:\n  title: Harbour\n  version: "2"\npaths: {}\n',
  }
  for (const page of handbook) {
    files[`fern/docs/pages/${page.slug}.mdx`] = renderPage(page, {
      link: (target, from) => `${relative(target, from)}.mdx`,
      image: (name, from) => `${'../'.repeat(from.split('/').length)}assets/${name}`,
      head: (shown) => frontmatter(shown),
    })
  }
  for (const name of images) files[`fern/docs/assets/${name}`] = drawing(name)
  const sections = groups
    .map(({ name, folder }) => {
      const rows = pagesIn(folder).map(
        (page) => `          - page: ${JSON.stringify(page.title)}\n            path: ./docs/pages/${page.slug}.mdx`,
      )
      return `      - section: ${name}\n        contents:\n${rows.join('\n')}`
    })
    .join('\n')
  files['fern/docs.yml'] = `# yaml-language-server: $schema=https://schema.buildwithfern.dev/docs-yml.json

instances:
  - url: harbour.docs.example

title: Harbour | Documentation

tabs:
  handbook:
    display-name: Handbook
    icon: book
  api:
    display-name: API

navigation:
  - tab: handbook
    layout:
      - page: Home
        path: ./docs/pages/index.mdx
${sections}
  - tab: api
    layout:
      - api: API reference

redirects:
  - source: /setup
    destination: /handbook/guides/install-harbour
`
  return files
}
