import { LINK_ATTRIBUTES } from './collect-page.ts'
import { decodeMarkdown, decodeReferences } from './decode-text.ts'
import { isSrcset, readSrcset } from './read-srcset.ts'

/** Matches the text before a destination in Markdown. */
const MARKDOWN = /\](?:\(|:)/g
/** Matches the text before a value that `collectPage` reads in an attribute or an import. */
const ATTRIBUTE = new RegExp(
  String.raw`(?:${LINK_ATTRIBUTES.join('|')}|srcset|srcSet)[ \t\n]{0,100}=[ \t\n]{0,100}|(?:(?:from|import)[ \t]{0,20}|require\([ \t]{0,9})(?=["'])`,
  'g',
)
const VALUE =
  /"([^"]{0,4000})"|'([^']{0,4000})'|\{[ \t\n]{0,100}(?:"([^"\\{}]{0,4000})"|'([^'\\{}]{0,4000})'|`([^`\\${}]{0,4000})`)|([^\s"'{<>=`]{1,2000})/y
/** Maximum nesting of parentheses in the destination of an inline link (CommonMark). */
const MAX_NESTING = 32

/** Where a destination was found. Markdown images have the kind `link`. */
type DestinationKind = 'link' | 'attribute' | 'import'

/** @param at the offset of the text before the destination */
type DestinationTest = (href: string, kind: DestinationKind, at: number) => boolean

/**
 * Returns true if a link destination in the text passes the test. Also tests destinations in code
 * and comments, because it does not parse the page. Never omits a destination that `collectPage`
 * returns. Takes linear time.
 */
export function someDestination(text: string, test: DestinationTest): boolean {
  const passes = (written: string, kind: DestinationKind, at: number): boolean => {
    if (written === '') return false
    if (kind === 'import' || !/[\\&]/.test(written)) return test(written, kind, at)
    // Attributes contain references, but no escapes.
    return (
      test(decodeReferences(written), kind, at) || (written.includes('\\') && test(decodeMarkdown(written), kind, at))
    )
  }
  let definitionEnd = 0
  for (const { index } of text.matchAll(MARKDOWN)) {
    const isDefinition = text[index + 1] === ':'
    if (isDefinition) {
      // Labels do not contain brackets, so only the first `]:` in a word can end a label.
      if (index < definitionEnd || isEscaped(text, index)) continue
      definitionEnd = findEnd(text, index + 2, Number.POSITIVE_INFINITY, false)
    }
    const start = skipSpace(text, index + 2)
    if (text[start] === '<') {
      const end = findAngleEnd(text, start + 1)
      if (end !== null && passes(text.slice(start + 1, end), 'link', index)) return true
      continue
    }
    const end = isDefinition
      ? findEnd(text, start, Number.POSITIVE_INFINITY, false)
      : findEnd(text, start, MAX_NESTING, true)
    if (passes(text.slice(start, end), 'link', index)) return true
  }
  for (const { index, 0: name } of text.matchAll(ATTRIBUTE)) {
    if (/[\w:.@$-]/.test(text[index - 1] ?? '')) continue
    // The search continues after the name, so that an unclosed quote does not hide other attributes.
    VALUE.lastIndex = index + name.length
    const [, ...values] = VALUE.exec(text) ?? []
    const kind = /^(?:from|import|require)/.test(name) ? 'import' : 'attribute'
    const written = values.find((value) => value !== undefined) ?? ''
    const isSet = isSrcset(/^\w+/.exec(name)?.[0] ?? '')
    const hrefs = isSet ? readSrcset(written).map(({ href }) => href) : [written]
    if (hrefs.some((href) => passes(href, kind, index))) return true
  }
  return false
}

function isEscaped(text: string, offset: number): boolean {
  let start = offset
  while (text[start - 1] === '\\') start -= 1
  return (offset - start) % 2 === 1
}

/** Skips whitespace, and the block quote markers of the next lines. */
function skipSpace(text: string, offset: number): number {
  let isNextLine = false
  for (let at = offset; ; at += 1) {
    const char = text[at]
    if (char === '\n') isNextLine = true
    else if (char !== ' ' && char !== '\t' && !(char === '>' && isNextLine)) return at
  }
}

/** Returns the end of a destination without angle brackets. */
function findEnd(text: string, start: number, maxNesting: number, isInline: boolean): number {
  let nesting = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === 0x7f) return at
    if (code === 0x5c) {
      // A backslash does not escape a space.
      if (text.charCodeAt(at + 1) > 0x20) at += 1
    } else if (isInline && code === 0x28) {
      nesting += 1
      if (nesting > maxNesting) return at
    } else if (isInline && code === 0x29) {
      if (nesting === 0) return at
      nesting -= 1
    }
  }
  return text.length
}

/** Returns the end of a destination in angle brackets, or null if it is not closed. */
function findAngleEnd(text: string, start: number): number | null {
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (char === '>') return at
    if (char === '<' || char === '\n') return null
    if (char === '\\' && text[at + 1] !== '\n') at += 1
  }
  return null
}
