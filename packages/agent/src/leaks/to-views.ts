import type { Pacer } from './build-pacer.ts'
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
export async function toViews(lines: readonly TextLine[], pace: Pacer): Promise<TextLine[][]> {
  const views: TextLine[][] = [[...lines]]
  const toView = async (from: readonly TextLine[], convert: (text: string) => string, isEncoded: boolean) => {
    const view: TextLine[] = []
    for (const line of from) {
      view.push({ ...line, text: convert(line.text), isEncoded })
      await pace()
    }
    return view
  }
  const decoded = await toView(lines, decodeMarkup, false)
  if (countChanged(lines, decoded) > 0) views.push(decoded)
  const bare = await toView(decoded, (text) => text.replace(NUMBER, '$1'), false)
  if (countChanged(decoded, bare) >= 3) views.push(bare)
  views.push(await toView(lines, rot13, true))
  views.push(await toView([...lines].reverse(), (text) => [...text].reverse().join(''), true))
  for (const { line, text } of await listDecoded(lines, pace)) {
    views.push(text.split(/\r?\n/).map((part) => ({ text: part, line, isRow: false, isEncoded: true })))
  }
  return views
}

const countChanged = (before: readonly TextLine[], after: readonly TextLine[]): number =>
  after.filter(({ text }, index) => text !== before[index]?.text).length

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
