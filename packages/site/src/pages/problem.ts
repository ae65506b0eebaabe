/** Check name. The last three are the repository's own linters. */
export type CheckName =
  | 'syntax'
  | 'frontmatter'
  | 'links'
  | 'anchors'
  | 'images'
  | 'navigation'
  | 'redirects'
  | 'markdownlint'
  | 'cspell'
  | 'vale'

/**
 * `changed` covers the parts that the change touches or breaks. `all` covers every page in the
 * repository.
 */
export type CheckScope = 'changed' | 'all'

/**
 * A problem in one file. `subject` distinguishes it from similar problems. Line numbers cannot do
 * this, because they shift with every edit.
 */
export interface Problem {
  readonly check: CheckName
  readonly code: string
  readonly path: string
  /** 1-based; null if the problem concerns the whole file. */
  readonly line: number | null
  readonly subject: string
  /**
   * Alternative subject that stays the same when the file moves. For a relative link, it is the
   * target.
   */
  readonly otherSubject?: string
  readonly message: string
  /** True if the problem is reported but does not block the change. */
  readonly advisory?: boolean
}
