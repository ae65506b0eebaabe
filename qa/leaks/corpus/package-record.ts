import type { SiteRelease } from '../../sites/corpus/site-record.ts'

/** An npm package that ships its code and its documentation. It is never committed. */
export interface PackageRecord {
  readonly id: string
  readonly package: string
  /** Oldest first. The documentation of each pair of neighbors is compared as a change. */
  readonly releases: readonly SiteRelease[]
  readonly license: string
}
