/** What a linter of the repository's own says of one file. */
export interface LintFinding {
  /** Name of the rule, for example `MD013` or `Vale.Spelling`. */
  readonly rule: string
  /** 1-based. */
  readonly line: number
  /** What tells it from others of its rule when lines move: the text it is about. */
  readonly subject: string
  readonly message: string
}
