import type { Heading } from '../pages/find-headings.ts'

/** A heading whose text changes, and the ids of the page's headings before and after. */
export interface HeadingRename {
  readonly page: string
  /** The new text as shown, and as written, with the explicit id that keeps the anchor. */
  readonly text: string
  readonly written: string
  /** Position in the page's list of headings. */
  readonly index: number
  readonly before: readonly Heading[]
  readonly after: readonly Heading[]
  readonly oldIds: readonly string[]
  readonly newIds: readonly string[]
  /** Ids defined by tags. They do not change. */
  readonly tagIds: ReadonlySet<string>
}
