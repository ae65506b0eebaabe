import type { TextLine } from '../text/text-line.ts'
import type { AddedText } from './added-texts.ts'
import { type Squeezed, squeezeText } from './squeeze.ts'

/** Matches do not continue from one text to the next, because no file has this code unit. */
export const SEPARATOR = 0xffff

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
  /** Position from which the texts have no digits. */
  readonly exactFrom: number
  /** Returns the index of the line at a position. */
  findLine(at: number): number
}

export function buildAddedStream(texts: readonly AddedText[]): AddedStream {
  const lines: StreamLine[] = []
  const parts: Uint16Array[] = []
  let length = 0
  const append = (codes: Uint16Array) => {
    parts.push(codes)
    length += codes.length
  }
  const add = (text: AddedText, view: readonly TextLine[]) => {
    for (const { text: words, line, isRow, isEncoded } of view) {
      const squeezed = squeezeText(words)
      if (squeezed.length === 0) continue
      lines.push({ text, line, isRow, isEncoded, start: length, end: length + squeezed.length })
      append(squeezed)
    }
    append(Uint16Array.of(SEPARATOR))
  }
  for (const text of texts) for (const view of text.views) add(text, view)
  const exactFrom = length
  for (const text of texts) add(text, text.unnumbered)
  const codes = new Uint16Array(length)
  let at = 0
  for (const part of parts) {
    codes.set(part, at)
    at += part.length
  }
  return {
    codes,
    length,
    lines,
    exactFrom,
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
  }
}
