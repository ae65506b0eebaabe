import type { Dialect } from './dialect.ts'
import { listHeadings, type PageHeadings } from './find-headings.ts'
import { type LinkSpan, listLinkSpans } from './find-link-spans.ts'
import type { PageContent } from './page-content.ts'
import { readParsedPage } from './read-page.ts'

/** The positions of the links and headings in a page. */
export interface PageLayout {
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
  const layout =
    page === null ? null : { spans: listLinkSpans(text, dialect, page), headings: listHeadings(text, dialect, page) }
  return { content, layout }
}
