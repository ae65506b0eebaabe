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
  /** The kind of issue. Each kind belongs to one check, or is a rule of a linter. */
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
  /** True if the problem does not block the change, although others of its kind may. */
  readonly advisory?: boolean
}
