import type { SiteIndex } from '../links/site-index.ts'
import { EMPTY_CONTENT, type PageLink } from '../pages/page-content.ts'
import type { PageScan } from '../pages/scan-page.ts'
import { findLinkProblems, type LinkReading } from './find-link-problems.ts'

/** The link readings of a page that was not parsed. Missing anchors are not included. */
export interface ScannedReading {
  /** The links that are probably not in code. */
  readonly shown: LinkReading
  /** All other possible links. Both readings contain everything that the page's reading contains. */
  readonly hidden: LinkReading
}

/** Finds the link problems that a page may have, without parsing it. */
export function findScannedProblems(
  index: SiteIndex,
  page: string,
  { facts, shown, hidden }: PageScan,
): ScannedReading {
  // Anchors are accepted, because the content of the other pages is not known.
  const side = { index, contentOf: () => undefined, componentOf: () => undefined, anchorsOf: () => new Set<string>() }
  const find = (links: readonly PageLink[]) =>
    findLinkProblems(side, page, { ...EMPTY_CONTENT, facts, links, moreAnchors: true })
  return { shown: find(shown), hidden: find(hidden) }
}
