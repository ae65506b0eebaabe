/** A finding of one of the repository's linters in one file. */
export interface LintFinding {
  /** Name of the rule, for example `MD013` or `Vale.Spelling`. */
  readonly rule: string
  /** 1-based. */
  readonly line: number
  /** The text concerned. It distinguishes findings of one rule when lines move. */
  readonly subject: string
  readonly message: string
}
