/** A finding that one of the repository's linters reports for a file. */
export interface LintFinding {
  /** Rule name, for example `MD013` or `Vale.Spelling`. */
  readonly rule: string
  /** 1-based. */
  readonly line: number
  /** The affected text. Distinguishes findings for the same rule when lines move. */
  readonly subject: string
  readonly message: string
}
