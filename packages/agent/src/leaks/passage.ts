/** Part of the added text that repeats a file. */
export interface Part {
  /** Positions in the added stream, end exclusive. */
  readonly from: number
  readonly to: number
  /** Length in the file, with whitespace normalized. */
  readonly chars: number
}

/** A part of a file that the added text repeats. */
export interface Passage {
  /** Lines that count, in the order of the file. */
  readonly lines: readonly Part[]
  /** Parts without line breaks. */
  readonly joined: readonly Part[]
}

export const MIN_LINES = 6
export const MIN_JOINED_CHARS = 240
