import type { Pacer } from './build-pacer.ts'
import { SEPARATOR } from './build-passage-index.ts'
import { buildShortIndex } from './build-short-index.ts'
import type { AddedText } from './list-added-texts.ts'
import { type Squeezed, squeezeText } from './squeeze-text.ts'

/** Only shorter lines are looked up as a whole. */
const MAX_WHOLE = 80

export interface StreamLine {
  readonly text: AddedText
  /** 1-based, in the text. */
  readonly line: number
  readonly isRow: boolean
  readonly isEncoded: boolean
  /** Positions in the stream, end exclusive. */
  readonly start: number
  readonly end: number
}

/** All texts of a change in all forms, reduced to letters and digits, as one stream. */
export interface AddedStream extends Squeezed {
  /** Lines that are not empty, in ascending order of `start`. */
  readonly lines: readonly StreamLine[]
  /** Returns the index of the line at a position. */
  findLine(at: number): number
  /** Returns true if the stream has a line that consists of this reduced text. */
  hasLine(squeezed: string): boolean
  /** Returns true if the stream contains this reduced text of at least {@link MIN_SHORT} units. */
  hasShort(squeezed: string): boolean
}

export async function buildAddedStream(texts: readonly AddedText[], pace: Pacer): Promise<AddedStream> {
  const lines: StreamLine[] = []
  const whole = new Set<string>()
  let codes = new Uint16Array(64 * 1024)
  let length = 0
  const append = (added: Uint16Array) => {
    if (length + added.length > codes.length) {
      const larger = new Uint16Array((length + added.length) * 2)
      larger.set(codes)
      codes = larger
    }
    codes.set(added, length)
    length += added.length
  }
  for (const text of texts) {
    for (const view of text.views) {
      for (const { text: words, line, isRow, isEncoded } of view) {
        const squeezed = squeezeText(words)
        if (squeezed.length === 0) continue
        const start = length
        append(squeezed.codes.subarray(0, squeezed.length))
        lines.push({ text, line, isRow, isEncoded, start, end: length })
        if (squeezed.length < MAX_WHOLE) whole.add(String.fromCharCode(...codes.subarray(start, length)))
        await pace()
      }
      append(Uint16Array.of(SEPARATOR))
    }
  }
  return {
    codes,
    length,
    lines,
    findLine(position) {
      let low = 0
      let high = lines.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((lines[middle]?.start ?? 0) <= position) low = middle
        else high = middle - 1
      }
      return low
    },
    hasLine: (squeezed) => whole.has(squeezed),
    hasShort: await buildShortIndex({ codes, length }, pace),
  }
}
