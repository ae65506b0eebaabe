/** The last three are the repository's own linters. */
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

/** `changed` looks at what the change touches or breaks, `all` at every page of the repository. */
export type CheckScope = 'changed' | 'all'

/** A fault in one file. `subject` tells it from others of its kind without line numbers, which move with every edit. */
export interface Problem {
  readonly check: CheckName
  readonly code: string
  readonly path: string
  /** 1-based; null when the whole file is meant. */
  readonly line: number | null
  readonly subject: string
  /** The subject in other words that stay the same when the file moves; a relative link is its target here. */
  readonly otherSubject?: string
  readonly message: string
  /** Worth saying, and no reason to keep a change back. */
  readonly advisory?: boolean
}
