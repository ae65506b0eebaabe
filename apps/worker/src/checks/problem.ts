export type CheckName = 'syntax' | 'frontmatter' | 'navigation'

/** A fault in one file. `subject` tells it from others of its kind without line numbers, which move with every edit. */
export interface Problem {
  readonly check: CheckName
  readonly code: string
  readonly path: string
  /** 1-based; null when the whole file is meant. */
  readonly line: number | null
  readonly subject: string
  readonly message: string
}
