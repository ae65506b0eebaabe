/**
 * Text reduced to its letters and digits, so that it does not depend on indentation, line breaks,
 * quotes, comment markers, or any other punctuation.
 */
export interface Squeezed {
  /** UTF-16 code units. Lower case, without accents. */
  readonly codes: Uint16Array
  readonly length: number
}

/** Letters of other scripts that look like Latin letters, each followed by the Latin letter. */
const LOOKALIKES = new Map(
  [
    '\u0430a',
    '\u0435e',
    '\u043eo',
    '\u0440p',
    '\u0441c',
    '\u0445x',
    '\u0443y',
    '\u0456i',
    '\u0458j',
    '\u0455s',
    '\u0501d',
    '\u04bbh',
    '\u051bq',
    '\u051dw',
    '\u03bfo',
    '\u03b1a',
    '\u03bdv',
    '\u03b9i',
    '\u03c1p',
    '\u03c4t',
    '\u03c5u',
    '\u03bak',
    '\u0261g',
    '\u0131i',
  ].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const),
)

export const DROPPED = 0
const ALPHANUMERIC = /^[\p{L}\p{N}]$/u

/** For each code unit, its reduced form, or {@link DROPPED}. */
export const TABLE = buildTable()

function buildTable(): Uint16Array {
  const table = new Uint16Array(65_536)
  for (let code = 0; code < table.length; code += 1) {
    // Halves of surrogate pairs are kept, because most of them are letters.
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    if (isSurrogate || ALPHANUMERIC.test(String.fromCharCode(code))) table[code] = LOOKALIKES.get(code) ?? code
    else table[code] = DROPPED
  }
  for (let code = 65; code <= 90; code += 1) table[code] = code + 32
  return table
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Converts bytes to text, and returns null for a binary file. Invalid bytes are replaced. */
export function toSourceText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : decoder.decode(bytes)
}

/** Reduces text. Writes to `target` if it is large enough. */
export function squeezeText(text: string, target?: Uint16Array): Squeezed {
  const plain = toPlainLetters(text)
  const codes = target !== undefined && target.length >= plain.length ? target : new Uint16Array(plain.length)
  let length = 0
  for (let at = 0; at < plain.length; at += 1) {
    const code = TABLE[plain.charCodeAt(at)] ?? DROPPED
    if (code === DROPPED) continue
    codes[length] = code
    length += 1
  }
  return { codes, length }
}

/** Returns the number of code units that remain of a text. */
export function countSqueezed(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 128) return squeezeText(text).length
    count += TABLE[code] === DROPPED ? 0 : 1
  }
  return count
}

export function toSqueezedString(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  const { codes, length } = squeezeText(text)
  let out = ''
  for (let at = 0; at < length; at += 4096)
    out += String.fromCharCode(...codes.subarray(at, Math.min(length, at + 4096)))
  return out
}

/**
 * Removes accents and ligatures, and converts to lower case. Does not change ASCII text, because
 * {@link TABLE} converts its case.
 */
export function toPlainLetters(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 128) return false
  return true
}
