import type { SiteIndex } from '../links/site-index.ts'
import type { PageContent } from '../pages/page-content.ts'

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
