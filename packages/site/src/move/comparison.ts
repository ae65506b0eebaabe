import type { Site } from '../frameworks/framework.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { HeadingRename } from './heading-rename.ts'
import type { Repository } from './read-repository.ts'
import type { AddedRedirect } from './write-redirects.ts'

/** The change that a plan is intended to make. */
export interface IntendedChange {
  /** New paths keyed by old path; null for a deleted file. */
  readonly moves: ReadonlyMap<string, string | null>
  /** New bytes keyed by the path before the move. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** New page names in changed entries, keyed by `toEntryKey`; null for a removed entry. */
  readonly entries: ReadonlyMap<string, string | null>
  /** Entries that the plan reports, keyed by `toSiteEntryKey`. */
  readonly lostEntries: ReadonlySet<string>
  /** Links that the plan reports, keyed by `toLinkKey`. */
  readonly lostLinks: ReadonlySet<string>
  /** The pages with links from or to the moved files, before or after the move. */
  readonly pages: readonly string[]
  readonly redirects: readonly AddedRedirect[]
  /** New destinations of existing redirects, keyed by the old ones. */
  readonly redirectTargets?: ReadonlyMap<string, string>
  /** New texts outside of the navigation, keyed by the old ones, per configuration file. */
  readonly strings?: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly heading?: HeadingRename
}

/** The repository before and after the planned change. */
export interface Comparison {
  readonly repository: Repository
  readonly before: SiteIndex
  readonly after: SiteIndex
  readonly change: IntendedChange
  /** Returns a file's path after the change, or null if it is deleted. */
  toPath(path: string): string | null
}

/** A site before and after the planned change. */
export type SitePair = readonly [before: Site, after: Site]

/** Decodes a planned file. Returns an empty string if it is not text. */
export function toText(bytes: Uint8Array): string {
  const decoded = decodeText(bytes)
  return typeof decoded === 'string' ? '' : decoded.text
}
