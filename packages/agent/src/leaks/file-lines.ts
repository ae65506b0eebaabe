import { findHelp } from './find-help.ts'
import { findNotice } from './find-notice.ts'
import type { SqueezedFile } from './squeeze-file.ts'
import { countSqueezed } from './squeeze-text.ts'

/** The lines of a file. Positions are those in the reduced text. */
export interface FileLines {
  readonly count: number
  toStart(index: number): number
  /** Exclusive. */
  toEnd(index: number): number
  toText(index: number): string
  /**
   * Returns the part of a line between two of its letters and digits, end exclusive. Consecutive calls
   * are fast if the positions ascend.
   */
  cut(index: number, from: number, to: number): string
  /** Returns the first line that ends after a position. */
  findLine(at: number): number
  /** Returns true for a line of a comment about licenses and copyright. */
  isNotice(index: number): boolean
  /** Returns true for a line of a help text. */
  isHelp(index: number): boolean
}

export function buildFileLines({ ends, lines: count }: Pick<SqueezedFile, 'ends' | 'lines'>, text: string): FileLines {
  const texts = text.split('\n')
  const toText = (index: number) => texts[index] ?? ''
  let cursor = { index: -1, squeezed: 0, raw: 0 }
  /** Moves the cursor while `isBefore` is true for the letters and digits before and after a character. */
  const move = (text: string, isBefore: (before: number, after: number) => boolean) => {
    while (cursor.raw < text.length) {
      const char = String.fromCodePoint(text.codePointAt(cursor.raw) ?? 0)
      const after = cursor.squeezed + countSqueezed(char)
      if (!isBefore(cursor.squeezed, after)) return
      cursor.squeezed = after
      cursor.raw += char.length
    }
  }
  let notice: { from: number; to: number; isLegal: boolean } | null = null
  let help: ReadonlySet<number> | null = null
  return {
    count,
    toText,
    toStart: (index) => (index === 0 ? 0 : (ends[index - 1] ?? 0)),
    toEnd: (index) => ends[index] ?? 0,
    cut(index, from, to) {
      const text = toText(index)
      if (cursor.index !== index || cursor.squeezed > from) cursor = { index, squeezed: 0, raw: 0 }
      move(text, (before, after) => after <= from || after === before)
      const first = cursor.raw
      move(text, (before) => before < to)
      return text.slice(first, cursor.raw)
    },
    findLine(at) {
      let low = 0
      let high = count - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) > at) high = middle
        else low = middle + 1
      }
      return low
    },
    isNotice(index) {
      if (notice === null || index < notice.from || index >= notice.to) notice = findNotice(texts, index)
      return notice.isLegal
    },
    isHelp(index) {
      help ??= findHelp(texts)
      return help.has(index)
    },
  }
}
