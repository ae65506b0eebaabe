import type { Dialect } from './dialect.ts'
import { listHeadings, type PageHeadings } from './find-headings.ts'
import type { PageContent, PageLink } from './page-content.ts'
import { readParsedPage } from './read-page.ts'

/** A reference and the position of its destination. */
export interface LinkSpan extends PageLink {
  readonly start: number
  readonly end: number
}

/** The positions of the references and headings in a page. */
export interface PageLayout {
  /** In the order of the text. */
  readonly spans: readonly LinkSpan[]
  readonly headings: PageHeadings
}

/**
 * Reads a page's layout, and the same data as `readPage`, which takes no second parse. The layout is
 * null if the page does not parse.
 */
export function readLayout(
  bytes: Uint8Array,
  dialect: Dialect,
): { readonly content: PageContent; readonly layout: PageLayout | null } {
  const { content, text, page } = readParsedPage(bytes, dialect)
  const layout = page === null ? null : { spans: listSpans(content), headings: listHeadings(text, dialect, page) }
  return { content, layout }
}

/** If the parser reads a notation as a tag, both have the same position. */
function listSpans({ links }: PageContent): LinkSpan[] {
  const spans = new Map<number, LinkSpan>()
  for (const link of links) {
    const { start, end } = link
    if (start !== undefined && end !== undefined) spans.set(start, { ...link, start, end })
  }
  return [...spans.values()].sort((a, b) => a.start - b.start)
}
