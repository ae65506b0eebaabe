import { type DecodedText, listDecoded } from './list-decoded.ts'
import { renderLines, type TextLine } from './render-lines.ts'
import { toVisible } from './to-visible.ts'

/** Encoded text may be encoded again. */
const MAX_DEPTH = 2

/** The forms in which a text is compared. */
interface Views {
  /** As a reader of the page sees the text, followed by what the markup hides. */
  readonly rendered: readonly TextLine[]
  /** All forms: as written, rendered, reversed, in ROT13, and decoded. */
  readonly all: readonly (readonly TextLine[])[]
}

/** Returns the forms of a text in which a reader could understand it, or a program could read it. */
export function toViews(lines: readonly TextLine[]): Views {
  const written = lines.map((line) => ({ ...line, text: toVisible(line.text) }))
  const { shown, hidden } = renderLines(lines)
  const rendered = [...shown, ...hidden]
  const isPlain = rendered.length === written.length && rendered.every(({ text }, at) => text === written[at]?.text)
  const plain = isPlain ? [written] : [written, rendered]
  const all: (readonly TextLine[])[] = [...plain, convert(rendered, rot13), reverse(rendered)]
  let encoded = plain.flatMap(listDecoded)
  for (let depth = 0; depth < MAX_DEPTH && encoded.length > 0; depth += 1) {
    const inner: DecodedText[] = []
    for (const { line, text } of unique(encoded)) {
      const view = text.split(/\r?\n/).map((part) => ({ text: toVisible(part), line, isRow: false, isEncoded: true }))
      all.push(view, reverse(view))
      inner.push(...listDecoded(view))
    }
    encoded = inner
  }
  return { rendered, all }
}

const unique = (texts: readonly DecodedText[]) => new Map(texts.map((found) => [found.text, found])).values()

const convert = (lines: readonly TextLine[], to: (text: string) => string): TextLine[] =>
  lines.map((line) => ({ ...line, text: to(line.text), isEncoded: true }))

const reverse = (lines: readonly TextLine[]): TextLine[] =>
  convert([...lines].reverse(), (text) => [...text].reverse().join(''))

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
