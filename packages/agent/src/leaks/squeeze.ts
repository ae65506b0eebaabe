import { toVisible } from '../text/to-visible.ts'

/**
 * Text reduced to its letters and digits, so that it does not depend on indentation, line breaks,
 * quotes, comment markers, or any other punctuation.
 */
export interface Squeezed {
  /** UTF-16 code units in lower case. `0`, `1` and `i` are `o` and `l`, which look like them. */
  readonly codes: Uint16Array
  readonly length: number
}

/** A file of a source, with the positions at which its lines end. */
export interface SqueezedFile extends Squeezed {
  readonly ends: Int32Array
  readonly lines: number
}

const DROPPED = 0
const LINE_FEED = 10
const ALPHANUMERIC = /^[\p{L}\p{N}]$/u
/** `0`, `1` and `i`, and the letters that look like them. */
const SAME = new Map([
  [48, 111],
  [49, 108],
  [105, 108],
])
/** For each code unit, its reduced form, or {@link DROPPED}. Halves of surrogate pairs are kept. */
const TABLE = Uint16Array.from({ length: 65_536 }, (_, code) => {
  if (code >= 0xd800 && code <= 0xdfff) return code
  const char = String.fromCharCode(code)
  if (!ALPHANUMERIC.test(char)) return DROPPED
  const lower = char.toLowerCase().charCodeAt(0)
  return SAME.get(lower) ?? lower
})
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Converts bytes to text, and returns null for a binary file. Invalid bytes are replaced. */
export function toSourceText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : decoder.decode(bytes)
}

/** Reduces the text of a file. */
export function squeezeFile(text: string): SqueezedFile {
  const plain = toVisible(text)
  const codes = new Uint16Array(plain.length)
  const ends: number[] = []
  let length = 0
  for (let at = 0; at < plain.length; at += 1) {
    const unit = plain.charCodeAt(at)
    const code = TABLE[unit] ?? DROPPED
    if (code !== DROPPED) {
      codes[length] = code
      length += 1
    } else if (unit === LINE_FEED) ends.push(length)
  }
  ends.push(length)
  return { codes, length, ends: Int32Array.from(ends), lines: ends.length }
}

export const squeezeText = (text: string): Uint16Array => {
  const { codes, length } = squeezeFile(text)
  return codes.subarray(0, length)
}

/** Returns the number of code units that remain of a text. */
export function countSqueezed(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 128) return squeezeFile(text).length
    count += TABLE[code] === DROPPED ? 0 : 1
  }
  return count
}
