import { SEPARATOR } from './build-passage-index.ts'
import type { AddedText } from './list-added-texts.ts'
import { type Squeezed, squeezeText } from './squeeze-text.ts'

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
  includes(squeezed: string): boolean
}

export function buildAddedStream(texts: readonly AddedText[]): AddedStream {
  const parts: Squeezed[] = []
  const lines: StreamLine[] = []
  const whole = new Set<string>()
  let length = 0
  const separator: Squeezed = { codes: Uint16Array.of(SEPARATOR), length: 1 }
  for (const text of texts) {
    for (const view of text.views) {
      for (const { text: words, line, isRow, isEncoded } of view) {
        const squeezed = squeezeText(words)
        if (squeezed.length === 0) continue
        lines.push({ text, line, isRow, isEncoded, start: length, end: length + squeezed.length })
        if (squeezed.length < 80) whole.add(toText(squeezed.codes.subarray(0, squeezed.length)))
        parts.push(squeezed)
        length += squeezed.length
      }
      parts.push(separator)
      length += 1
    }
  }
  const codes = new Uint16Array(length)
  let at = 0
  for (const part of parts) {
    codes.set(part.codes.subarray(0, part.length), at)
    at += part.length
  }
  let all: string | null = null
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
    includes(squeezed) {
      all ??= toText(codes)
      return all.includes(squeezed)
    },
  }
}

function toText(codes: Uint16Array): string {
  let out = ''
  for (let at = 0; at < codes.length; at += 4096) out += String.fromCharCode(...codes.subarray(at, at + 4096))
  return out
}
