import { posix } from 'node:path'
import type { HandbookPage } from './handbook.ts'

export type PageStyle = {
  /** Destination of a link to a page of the handbook, from another one. */
  link: (slug: string, from: string) => string
  /** Destination of an image. */
  image: (name: string, from: string) => string
  /** Text before the body, front matter or a heading. */
  head: (page: HandbookPage) => string
}

/** A page of the handbook in the words of one framework. */
export function renderPage(page: HandbookPage, style: PageStyle): string {
  const body = page.body
    .replace(
      /!\[\[([^|\]]+)\|([^\]]+)\]\]/g,
      (_, name: string, alt: string) => `![${alt}](${style.image(name, page.slug)})`,
    )
    .replace(
      /\[\[([^|#\]]+)(#[^|\]]+)?\|([^\]]+)\]\]/g,
      (_, slug: string, anchor: string | undefined, text: string) => {
        return `[${text}](${style.link(slug, page.slug)}${anchor ?? ''})`
      },
    )
  return `${style.head(page)}${body}\n`
}

/** `../reference/cli` from `guides/install`. */
export function relative(slug: string, from: string): string {
  const path = posix.relative(posix.dirname(from), slug)
  return path.startsWith('.') ? path : `./${path}`
}

export const frontmatter = (page: HandbookPage, lines: readonly string[] = []): string =>
  ['---', `title: ${page.title}`, `description: ${page.description}`, ...lines, '---', '', ''].join('\n')

export const heading = (page: HandbookPage): string => `# ${page.title}\n\n`
