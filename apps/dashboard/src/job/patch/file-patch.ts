/**
 * One line of a patch. `oldNumber` and `newNumber` are 1-based, and null on the side without the
 * line.
 */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly oldNumber: number | null
  readonly newNumber: number | null
  readonly text: string
  /** The line is the last of its file and has no line break. */
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
  /** Set if the file was moved. */
  readonly oldPath: string | null
  readonly hunks: readonly DiffHunk[]
  /** Further facts about the file, one sentence each. */
  readonly notes: readonly string[]
}
