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
   * Minimum number of broken links or entries that, at a share of over 2 %, marks a check as
   * unreliable, because the checker does not understand the site.
   */
  readonly unreliableFrom: number
}

export const DEFAULT_CHECKER_LIMITS: CheckerLimits = { maxPages: 6_000, readMs: 180_000, unreliableFrom: 10 }
