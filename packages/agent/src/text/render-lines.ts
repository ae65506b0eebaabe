import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { toVisible } from './to-visible.ts'

/** A line of text that a change publishes. */
export interface TextLine {
  readonly text: string
  /** 1-based, in the changed file. */
  readonly line: number
  /** True for a row of a table, an item of a list, or a heading. */
  readonly isRow: boolean
  /** True for text that was decoded, whose line breaks have no meaning. */
  readonly isEncoded: boolean
}

/** Longer tags and link targets are treated as text. */
const MAX_MARKUP = 4_000
/** Constructs of template languages and references to footnotes, which a reader does not see. */
const TEMPLATE =
  /\{[#.:%][^{}\n]{0,200}\}|\{\{[^{}\n]{0,200}\}\}|\{(?:null|undefined|true|false|''|""|``)\}|\[\^[^\]\n]{1,100}\]/y
const HIDDEN = /^(?:script|style|template|noscript)\b|\shidden(?:[\s=]|$)|display\s{0,4}:\s{0,4}none/i
const ESCAPED = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
/** Part of a word, also if it is written as a character reference. */
const PART = /[\p{L}\p{N}&;<>]/u

/** The text of a page as a reader sees it, and the text that its markup hides. */
interface RenderedLines {
  readonly shown: TextLine[]
  /** Comments, attributes, and the targets of links. */
  readonly hidden: TextLine[]
}

/**
 * Separates the text of lines from the markup around it, whatever dialect of Markdown or HTML they
 * are written in, and decodes character references and escapes. Takes linear time.
 */
export function renderLines(lines: readonly TextLine[]): RenderedLines {
  const text = lines.map((line) => line.text).join('\n')
  const finish = (found: string) => joinNames(toVisible(decodeEscapes(decodeEntities(found))))
  const shown: TextLine[] = []
  const hidden: TextLine[] = []
  const findEnd = buildFinder(text)
  let row = 0
  let first = 0
  let parts: string[] = []
  let at = 0
  let from = 0
  const endLine = () => {
    const line = lines[first]
    if (line !== undefined) shown.push({ ...line, text: finish(parts.join('')) })
    parts = []
  }
  /** Takes the text before `at`, and moves a stretch of markup to the hidden text. */
  const skip = (inner: string, end: number) => {
    parts.push(text.slice(from, at))
    for (const [index, part] of inner.split('\n').entries()) {
      const line = lines[Math.min(row + index, lines.length - 1)]
      if (line !== undefined && WORD.test(part)) hidden.push({ ...line, text: finish(part), isRow: false })
    }
    for (let next = at; next < end; next += 1) if (text[next] === '\n') row += 1
    at = end
    from = end
  }
  while (at < text.length) {
    const char = text.charAt(at)
    if (char === '\n') {
      parts.push(text.slice(from, at))
      endLine()
      row += 1
      first = row
      at += 1
      from = at
      continue
    }
    const found =
      char === '<'
        ? findTag(text, at, findEnd)
        : char === '/' && text[at + 1] === '*'
          ? findComment(text, at, '*/', findEnd)
          : char === ']' && text[at + 1] === '('
            ? findTarget(text, at)
            : char === '{' || char === '['
              ? findTemplate(text, at)
              : isMark(text, at)
                ? { inner: '', end: at + 1 }
                : null
    if (found !== null) skip(found.inner, found.end)
    else if (char === '\\' && ESCAPED.test(text.charAt(at + 1))) {
      // The next character is text.
      parts.push(text.slice(from, at))
      from = at + 1
      at += 2
    } else at += 1
  }
  parts.push(text.slice(from, at))
  endLine()
  return { shown, hidden }
}

interface Markup {
  readonly inner: string
  /** Exclusive. */
  readonly end: number
}
type Finder = (mark: string, from: number) => number

/** Builds a function like `indexOf` that does not search again for a mark that does not follow. */
function buildFinder(text: string): Finder {
  const absent = new Set<string>()
  return (mark, from) => {
    const at = absent.has(mark) ? -1 : text.indexOf(mark, from)
    if (at === -1) absent.add(mark)
    return at
  }
}

function findComment(text: string, at: number, mark: string, findEnd: Finder): Markup | null {
  const size = mark === '*/' ? 2 : 4
  const end = findEnd(mark, at + size)
  return end === -1 ? null : { inner: text.slice(at + size, end), end: end + mark.length }
}

function findTag(text: string, at: number, findEnd: Finder): Markup | null {
  if (text.startsWith('<!--', at)) {
    const empty = /<!---?>/y
    empty.lastIndex = at
    if (empty.test(text)) return { inner: '', end: empty.lastIndex }
    return findComment(text, at, '-->', findEnd)
  }
  if (!/[a-z/!?>]/i.test(text.charAt(at + 1))) return null
  let quote = ''
  const last = Math.min(text.length, at + MAX_MARKUP)
  for (let next = at + 1; next < last; next += 1) {
    const char = text.charAt(next)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '<') return null
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') {
      const inner = text.slice(at + 1, next)
      if (!HIDDEN.test(inner)) return { inner, end: next + 1 }
      const close = findEnd(`</${/^[\w-]*/.exec(inner)?.[0]}`, next)
      if (close === -1 || close - next > MAX_MARKUP) return { inner, end: next + 1 }
      return { inner: `${inner}\n${text.slice(next + 1, close)}`, end: close }
    }
  }
  return null
}

/** Finds the target of a link, which may contain pairs of parentheses. */
function findTarget(text: string, at: number): Markup | null {
  let depth = 0
  const last = Math.min(text.length, at + MAX_MARKUP)
  for (let next = at + 1; next < last; next += 1) {
    const char = text.charAt(next)
    if (char === '\n') return null
    if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth === 0) return { inner: text.slice(at + 2, next), end: next + 1 }
  }
  return null
}

function findTemplate(text: string, at: number): Markup | null {
  TEMPLATE.lastIndex = at
  const [inner] = TEMPLATE.exec(text) ?? []
  return inner === undefined ? null : { inner, end: at + inner.length }
}

/** Returns true for a mark of emphasis or code. */
function isMark(text: string, at: number): boolean {
  const char = text.charAt(at)
  if (char === '*' || char === '`' || char === '~') return true
  return char === '_' && !(PART.test(text.charAt(at - 1)) && PART.test(text.charAt(at + 1)))
}

const ENTITY = /&(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|([a-z][a-z0-9]{1,31});|(shy|nbsp|lt|gt|amp|quot))/gi

/** Decodes the character references of HTML. Browsers also decode some of them without a semicolon. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string, legacy?: string) => {
    if (hex !== undefined) return toChar(Number.parseInt(hex, 16))
    if (decimal !== undefined) return toChar(Number(decimal))
    const found = decodeNamedCharacterReference(name ?? legacy ?? '')
    return found === false ? whole : found
  })
}

/** Decodes percent encoding, quoted-printable characters, and the escapes of string literals. */
function decodeEscapes(text: string): string {
  if (!/[%=\\]/.test(text)) return text
  return text
    .replace(/(?:[%=][0-9A-F]{2})+|(?:%[0-9a-f]{2})+/g, (whole) =>
      Buffer.from(whole.replace(/[%=]/g, ''), 'hex').toString('utf8'),
    )
    .replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, ...codes: (string | undefined)[]) =>
      toChar(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    )
    .replace(/\\([0-3][0-7]{2})/g, (_, code: string) => toChar(Number.parseInt(code, 8)))
    .replace(/\\[nrt]/g, ' ')
}

/** Joins concatenated string literals, and writes the dots of names and addresses in their usual form. */
function joinNames(text: string): string {
  return text
    .replace(/["'`]\s{0,4}\+\s{0,4}["'`]/g, '')
    .replace(/\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/gi, '.')
    .replace(/(?<=\w) dot (?=\w)/gi, '.')
    .replace(/\/\/(\d{8,10})(?!\w|\.)/g, (whole, digits: string) => {
      const address = Number(digits)
      return address > 0xffffffff ? whole : `//${[24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')}`
    })
}

function toChar(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}
