/**
 * One line of a patch. `oldNumber` and `newNumber` are 1-based, and null if the line does not exist
 * on that side.
 */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly oldNumber: number | null
  readonly newNumber: number | null
  readonly text: string
  /** True for the last line of a file without a trailing newline. */
  readonly hasNoNewline: boolean
}

export interface DiffHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly DiffLine[]
}

/** The changes in one file. */
export interface FilePatch {
  readonly path: string
  /** The previous path of a moved file, or the source path of a copied one. */
  readonly oldPath: string | null
  readonly hunks: readonly DiffHunk[]
  /** Notes about the file, one sentence each. */
  readonly notes: readonly string[]
}
