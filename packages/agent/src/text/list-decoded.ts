import type { TextLine } from './render-lines.ts'

export interface DecodedText {
  /** First line of the encoded text, 1-based. */
  readonly line: number
  readonly text: string
}

/** Minimum length of a readable stretch. Other text decodes to shorter ones. */
const MIN_CHARS = 24
const READABLE = new RegExp(
  `[\\t\\n\\r\\x20-\\x7e\\u00a1-\\u024f\\u0370-\\u05ff\\u2010-\\u2044\\u3040-\\u9fff]{${MIN_CHARS},}`,
  'gu',
)

/**
 * Returns the text inside Base64, hexadecimal, decimal and binary codes, also if they are split
 * over lines, string literals or table cells.
 */
export function listDecoded(lines: readonly TextLine[]): DecodedText[] {
  return [...listBase64(lines), ...[listHex, listDecimal, listBinary].flatMap((list) => [...list(joinLines(lines))])]
}

interface Joined {
  readonly text: string
  /** Returns the number of the line at a position. The positions of the calls ascend. */
  toLine(at: number): number
}

function joinLines(lines: readonly TextLine[]): Joined {
  let row = 0
  let end = lines[0]?.text.length ?? 0
  return {
    text: lines.map(({ text }) => text).join('\n'),
    toLine(at) {
      while (end < at && row < lines.length - 1) {
        row += 1
        end += 1 + (lines[row]?.text.length ?? 0)
      }
      return lines[row]?.line ?? 1
    },
  }
}

/**
 * Joins neighbouring lines with a long word and decodes the result from each of the four places at
 * which a group of four characters can start.
 */
function listBase64(lines: readonly TextLine[]): DecodedText[] {
  const found: DecodedText[] = []
  let open: { line: number; text: string } | null = null
  const close = () => {
    if (open !== null) found.push(...decodeBase64(open.line, open.text))
    open = null
  }
  for (const { text, line } of lines) {
    const words = text.match(/[A-Za-z0-9+/_-]{4,}/g) ?? []
    const isGrouped = words.length >= 5 && words.every((word) => word.length % 4 === 0)
    const isCode = isGrouped || words.some((word) => word.length >= 16)
    if (!isCode) close()
    else if (open === null) open = { line, text: words.join('') }
    else open = { line: open.line, text: open.text + words.join('') }
  }
  close()
  return found
}

function decodeBase64(line: number, text: string): DecodedText[] {
  return [0, 1, 2, 3].flatMap((shift) => toReadable(line, Buffer.from(text.slice(shift), 'base64')))
}

function* listHex({ text, toLine }: Joined): Generator<DecodedText> {
  for (const match of text.matchAll(/(?:(?:0x|\\x|\\u00|%|&#x)?[0-9a-f]{2}[^0-9a-z\\%&]{0,4}){24,4000}/gi)) {
    const digits = match[0].replace(/0x|\\x|\\u00|&#x/gi, '').replace(/[^0-9a-f]/gi, '')
    const line = toLine(match.index)
    for (const shift of [0, 1]) yield* toReadable(line, Buffer.from(digits.slice(shift), 'hex'))
  }
}

function* listDecimal({ text, toLine }: Joined): Generator<DecodedText> {
  for (const match of text.matchAll(/(?:\b\d{1,3}\b[^0-9a-z]{1,4}){24,4000}/gi)) {
    const codes = (match[0].match(/\d+/g) ?? []).map(Number).filter((code) => code < 256)
    yield* toReadable(toLine(match.index), Buffer.from(codes))
  }
}

function* listBinary({ text, toLine }: Joined): Generator<DecodedText> {
  for (const match of text.matchAll(/(?:(?:0b)?[01]{8}[^0-9a-z]{0,4}){24,4000}/gi)) {
    const codes = (match[0].match(/[01]{8}/g) ?? []).map((digits) => Number.parseInt(digits, 2))
    yield* toReadable(toLine(match.index), Buffer.from(codes))
  }
}

function toReadable(line: number, bytes: Buffer): DecodedText[] {
  return (bytes.toString('utf8').match(READABLE) ?? []).map((text) => ({ line, text }))
}
