import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import type { PageContent, PageLink } from '../pages/page-content.ts'

/** The files and pages of one state of a repository, as used to judge links. */
export interface LinkSide {
  readonly index: SiteIndex
  /** Returns a page's content, or undefined for files that are not pages or were not read. */
  contentOf(path: string): PageContent | undefined
  /** Returns what is known of a component that pages import, or undefined. */
  componentOf(path: string): PageContent | undefined
  /** Returns a page's anchors as a set. */
  anchorsOf(content: PageContent): ReadonlySet<string>
}

/** What the links of the current state led to in the base commit. */
export interface LinkPast {
  /**
   * Returns true if the link would have led to a file or redirect in the base commit. Returns false
   * if a dynamic route that the change adds may serve its target now, or if a redirect hid a route.
   */
  isResolved(page: string, link: PageLink, target: LinkTarget): boolean
  /**
   * Returns true if the link would have led to an anchor in the base commit that the text of the
   * page itself defined. Returns false if the change may have moved the anchor to an included file.
   */
  hasAnchor(page: string, link: PageLink): boolean
  /**
   * Returns the link with the same text in the base commit if the change replaced its destination,
   * and the destination of no other link with this text. Returns null otherwise.
   */
  findReplaced(page: string, link: PageLink): PageLink | null
}
