export interface CheckerLimits {
  /**
   * Maximum number of pages read per repository. Further pages are reported as not checked.
   * Default: 6,000.
   */
  readonly maxPages: number
  /**
   * Time limit for reading all pages of a base commit, in milliseconds. Unread pages are reported.
   * Default: 180,000.
   */
  readonly readMs: number
  /**
   * A check is unreliable if at least this many of its links or entries, and more than 2%, are
   * broken in the base commit. In that case, the checker probably does not support the site.
   */
  readonly unreliableFrom: number
}

export const DEFAULT_CHECKER_LIMITS: CheckerLimits = { maxPages: 6_000, readMs: 180_000, unreliableFrom: 10 }
