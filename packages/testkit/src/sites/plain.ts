import { drawing, handbook, images } from './handbook.ts'
import { heading, relative, renderPage } from './render-page.ts'

/** Markdown that a code host shows, without any framework. */
export function plainSite(): Record<string, string> {
  const files: Record<string, string> = {
    'README.md': `# Harbour

[![Build](https://ci.example/badge.svg)](https://ci.example)

- [Handbook](docs/index.md)
- [All of it](docs/)
- [Contributing](CONTRIBUTING.md#tests)
- [Contributing, from the root](/CONTRIBUTING.md)
`,
    'CONTRIBUTING.md':
      '# Contributing\n\n## Tests\n\nRun `make test`. <a name="style"></a>\n\nBack to [the start](README.md).\n',
    Makefile: 'test:\n\techo fine\n',
  }
  for (const page of handbook) {
    files[`docs/${page.slug}.md`] = renderPage(page, {
      link: (target, from) => `${relative(target, from)}.md`,
      image: (name, from) => `${'../'.repeat(from.split('/').length - 1)}images/${name}`,
      head: heading,
    })
  }
  for (const name of images) files[`docs/images/${name}`] = drawing(name)
  return files
}
