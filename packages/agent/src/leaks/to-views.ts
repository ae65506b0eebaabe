import type { Pacer } from './build-pacer.ts'
import { decodeMarkup } from './decode-markup.ts'
import { type DecodedText, listDecoded } from './list-decoded.ts'
import type { TextLine } from './text-line.ts'

/** Encoded text may be encoded again. */
const MAX_DEPTH = 2
const NUMBER = /^([^\p{L}\p{N}]*)(?:L(?:ine)?\s?)?\d{1,6}(?![\p{L}\p{N}])/iu

/**
 * Returns the forms in which the lines of a text are compared: unchanged, with HTML, entities and
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
  views.push(await toView([...lines].reverse(), reverse, true))
  let encoded = await listDecoded(lines, pace)
  for (let depth = 0; depth < MAX_DEPTH && encoded.length > 0; depth += 1) {
    const inner: DecodedText[] = []
    for (const { line, text } of encoded) {
      const view = text.split(/\r?\n/).map((part) => ({ text: part, line, isRow: false, isEncoded: true }))
      views.push(view, await toView([...view].reverse(), reverse, true))
      inner.push(...(await listDecoded(view, pace)))
    }
    encoded = inner
  }
  return views
}

const countChanged = (before: readonly TextLine[], after: readonly TextLine[]): number =>
  after.filter(({ text }, index) => text !== before[index]?.text).length

const reverse = (text: string): string => [...text].reverse().join('')

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
