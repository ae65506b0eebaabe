export interface CheckerLimits {
  /** Pages of a repository that are read; the rest is reported as not checked. Default 6,000. */
  readonly maxPages: number
  /** Wall-clock time for reading all pages of a base commit, in milliseconds; what is not read by then is reported. Default 180,000. */
  readonly readMs: number
  /** Links and entries of these many and more, of which over 2 % are broken already, show that the checker does not understand the site. */
  readonly unreliableFrom: number
}

export const DEFAULT_CHECKER_LIMITS: CheckerLimits = { maxPages: 6_000, readMs: 180_000, unreliableFrom: 10 }
