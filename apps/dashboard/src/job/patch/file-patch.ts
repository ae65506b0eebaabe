/** One line of a patch. `oldNumber` and `newNumber` are 1-based; null on the side where the line is not. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly oldNumber: number | null
  readonly newNumber: number | null
  readonly text: string
  /** It is the last of its file and has no line break. */
  readonly hasNoNewline: boolean
}

export interface DiffHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly DiffLine[]
}

/** What changed in one file. */
export interface FilePatch {
  readonly path: string
  /** Set when the file was moved. */
  readonly oldPath: string | null
  readonly hunks: readonly DiffHunk[]
  /** What there is to know besides lines: a sentence each. */
  readonly notes: readonly string[]
}
