import { listDecoded } from './list-decoded.ts'
import type { TextLine } from './text-line.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lbrace: '{',
  rbrace: '}',
  lowbar: '_',
  shy: '',
}
const NUMBER = /^([^\p{L}\p{N}]*)(?:L(?:ine)?\s?)?\d{1,6}(?![\p{L}\p{N}])/iu

/**
 * Returns the forms in which the lines of a text are compared: as they are, with HTML, entities and
 * escapes decoded, without numbers at the start of lines, reversed, in ROT13, and the text inside
 * Base64, hexadecimal and decimal codes.
 */
export function toViews(lines: readonly TextLine[]): TextLine[][] {
  const views: TextLine[][] = [[...lines]]
  const decoded = lines.map((line) => ({ ...line, text: decodeMarkup(line.text) }))
  const isChanged = decoded.some(({ text }, index) => text !== lines[index]?.text)
  if (isChanged) views.push(decoded)
  const bare = decoded.map((line) => ({ ...line, text: line.text.replace(NUMBER, '$1') }))
  if (bare.filter(({ text }, index) => text !== decoded[index]?.text).length >= 3) views.push(bare)
  views.push(lines.map((line) => ({ ...line, text: rot13(line.text), isEncoded: true })))
  views.push(
    [...lines].reverse().map((line) => ({ ...line, text: [...line.text].reverse().join(''), isEncoded: true })),
  )
  for (const { line, text } of listDecoded(lines)) {
    views.push(text.split(/\r?\n/).map((part) => ({ text: part, line, isRow: false, isEncoded: true })))
  }
  return views
}

/** Removes tags and decodes entities, percent encoding, and the escapes of string literals. */
function decodeMarkup(text: string): string {
  if (!/[<&%\\]/.test(text)) return text
  return text
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
        return toChar(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      },
    )
    .replace(/(?:%[0-9a-f]{2})+/gi, (whole) => Buffer.from(whole.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, ...codes: (string | undefined)[]) =>
      toChar(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    )
    .replace(/\\[nrt]/g, ' ')
}

function toChar(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
