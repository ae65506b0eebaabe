import { DROPPED, type Squeezed, TABLE, toPlainLetters, toSourceText } from './squeeze-text.ts'

/** A file of a source, with the positions at which its lines end. */
export interface SqueezedFile extends Squeezed {
  readonly ends: Int32Array
  readonly lines: number
}

/** Memory for one file at a time, which grows with the largest file. */
export interface SqueezeBuffer {
  codes: Uint16Array
  ends: Int32Array
}

const LINE_FEED = 10

/** Reduces a file of a source. Returns null for a binary file. Overwrites the previous file in the buffer. */
export function squeezeFile(bytes: Uint8Array, buffer: SqueezeBuffer): SqueezedFile | null {
  if (buffer.codes.length < bytes.length) {
    buffer.codes = new Uint16Array(bytes.length * 2)
    buffer.ends = new Int32Array(bytes.length * 2)
  }
  const { codes, ends } = buffer
  let length = 0
  let lines = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 128) return squeezeWide(bytes)
    if (byte === 0) return null
    if (byte === LINE_FEED) {
      ends[lines] = length
      lines += 1
      continue
    }
    const code = TABLE[byte] ?? DROPPED
    codes[length] = code
    length += code === DROPPED ? 0 : 1
  }
  ends[lines] = length
  return { codes, length, ends, lines: lines + 1 }
}

function squeezeWide(bytes: Uint8Array): SqueezedFile | null {
  const text = toSourceText(bytes)
  if (text === null) return null
  const plain = toPlainLetters(text)
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
