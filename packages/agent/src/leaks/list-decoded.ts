import type { TextLine } from './text-line.ts'

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
 * Returns the text inside Base64, hexadecimal and decimal codes, also if they are split
 * over lines, string literals or table cells.
 */
export function listDecoded(lines: readonly TextLine[]): DecodedText[] {
  return [...listBase64(lines), ...listHex(lines), ...listDecimal(lines)]
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
    const isCode = words.some((word) => word.length >= 16)
    if (!isCode) close()
    else if (open === null) open = { line, text: words.join('') }
    else open = { line: open.line, text: open.text + words.join('') }
    // Each line is also decoded alone, because text beside the codes shifts the groups.
    for (const word of words) if (word.length >= 32) found.push(...decodeBase64(line, word))
  }
  close()
  return found
}

function decodeBase64(line: number, text: string): DecodedText[] {
  return [0, 1, 2, 3].flatMap((shift) => toReadable(line, Buffer.from(text.slice(shift), 'base64')))
}

function listHex(lines: readonly TextLine[]): DecodedText[] {
  const joined = lines.map(({ text }) => text).join('\n')
  const toLine = buildLineCounter(lines, joined)
  return [...joined.matchAll(/(?:(?:0x|\\x|\\u00|%|&#x)?[0-9a-f]{2}[^0-9a-z\\%&]{0,4}){24,4000}/gi)].flatMap(
    (match) => {
      const digits = match[0].replace(/0x|\\x|\\u00|&#x/gi, '').replace(/[^0-9a-f]/gi, '')
      const line = toLine(match.index)
      return [0, 1].flatMap((shift) => toReadable(line, Buffer.from(digits.slice(shift), 'hex')))
    },
  )
}

function listDecimal(lines: readonly TextLine[]): DecodedText[] {
  const joined = lines.map(({ text }) => text).join('\n')
  const toLine = buildLineCounter(lines, joined)
  return [...joined.matchAll(/(?:\b\d{1,3}\b[^0-9a-z]{1,4}){24,4000}/gi)].flatMap((match) => {
    const codes = (match[0].match(/\d+/g) ?? []).map(Number).filter((code) => code < 256)
    return toReadable(toLine(match.index), Buffer.from(codes))
  })
}

function toReadable(line: number, bytes: Buffer): DecodedText[] {
  return (bytes.toString('utf8').match(READABLE) ?? []).map((text) => ({ line, text }))
}

/** Builds a function that returns the line of a position. The positions of its calls ascend. */
function buildLineCounter(lines: readonly TextLine[], joined: string): (index: number) => number {
  let row = 0
  let next = joined.indexOf('\n')
  return (index) => {
    for (; next !== -1 && next < index; next = joined.indexOf('\n', next + 1)) row += 1
    return lines[row]?.line ?? 1
  }
}
