import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { heading, relative, renderPage } from './render-page.ts'

function renderBook(folder: string, start: string, bullet: string): Record<string, string> {
  const files: Record<string, string> = {}
  const name = (slug: string) => (slug === 'index' ? start : `${slug}.md`)
  for (const page of handbook) {
    files[`${folder}/${name(page.slug)}`] = renderPage(page, {
      link: (target, from) => relative(name(target), from),
      image: (image, from) => `${'../'.repeat(from.split('/').length - 1)}assets/${image}`,
      head: heading,
    })
  }
  for (const image of images) files[`${folder}/assets/${image}`] = drawing(image)
  files[`${folder}/guides/README.md`] = '# Guides\n\nBegin with [the installation](install.md "Install").\n'
  const rows = groups.flatMap(({ name: group, folder: part }) => {
    const pages = pagesIn(part).map((page) => `${bullet} [${page.title}](${page.slug}.md)`)
    if (part !== 'guides') return [`\n## ${group}\n`, ...pages]
    return [`\n## ${group}\n`, `${bullet} [Guides](guides/README.md)`, ...pages.map((row) => `  ${row}`)]
  })
  files[`${folder}/SUMMARY.md`] = `# Summary\n\n${bullet} [Handbook](${start})\n${rows.join('\n')}\n`
  return files
}

/** mdBook in `book/`: `SUMMARY.md`, redirects in `book.toml`. */
export function mdbookSite(): Record<string, string> {
  return {
    'README.md': '# Harbour\n\nThe [book](book/src/index.md).\n',
    ...renderBook('book/src', 'index.md', '-'),
    'book/book.toml': `[book]
title = "Harbour"
src = "src"

[output.html]
git-repository-url = "https://git.example/harbour"

[output.html.redirect]
"/setup.html" = "guides/install.html"
`,
  }
}

/** GitBook: `.gitbook.yaml` names the folder of pages and redirects. */
export function gitbookSite(): Record<string, string> {
  return {
    ...renderBook('docs', 'README.md', '*'),
    '.gitbook.yaml':
      'root: ./docs/\n\nstructure:\n  readme: README.md\n  summary: SUMMARY.md\n\nredirects:\n  setup: guides/install.md\n',
  }
}
