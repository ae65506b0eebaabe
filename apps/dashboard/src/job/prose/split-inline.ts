import { splitWords } from '../patch/split-words.ts'
import { findEmphasis } from './find-emphasis.ts'

/** How a word is set. `literal`: a tag or an expression, shown as it is written. */
export type Mark = 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'image' | 'literal'

/** A word (or blank, or sign) of a text, with its formatting. `href` is what a link or an image points to: untrusted. */
export interface InlineToken {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly href: string | null
}

interface Context {
  readonly marks: readonly Mark[]
  readonly href: string | null
  readonly depth: number
}

const MAX_DEPTH = 6
/** Longer texts keep their marks of formatting as they are written. */
const MAX_TEXT = 50_000
const LINK =
  /^(!?)\[((?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\]){0,2000})\]\(\s*<?([^\s)>]{0,2000})>?(?:\s+["'(][^)]{0,500})?\s*\)/s
const TAG = /^<(?:\/?[A-Za-z][\w.:-]*(?:[^<>]{0,1000})|!--.{0,1000}?--|\/?)>/s
const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000})>/i
const BARE_URL = /^https?:\/\/[^\s<>()[\]"'`*]{1,2000}[^\s<>()[\]"'`*.,;:!?]/
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&nbsp;': ' ', '&mdash;': '—' },
  ...{ '&ndash;': '–', '&hellip;': '…', '&copy;': '©' },
}

/** Words of Markdown text with their inline formatting. What is not well-formed stays as it is written; no markup is ever interpreted as HTML. */
export function splitInline(text: string): InlineToken[] {
  if (text.length > MAX_TEXT) return toTokens(text, { marks: [], href: null, depth: 0 })
  const tokens: InlineToken[] = []
  read(text, { marks: [], href: null, depth: 0 }, tokens)
  return tokens
}

function read(text: string, context: Context, tokens: InlineToken[]): void {
  let plain = ''
  let at = 0
  const flush = () => {
    for (const word of splitWords(plain)) tokens.push({ text: toBlank(word), marks: context.marks, href: context.href })
    plain = ''
  }
  while (at < text.length) {
    const found = readSpecial(text, at, context)
    if (found === null) {
      plain += text[at]
      at += 1
    } else if (typeof found.content === 'string') {
      plain += found.content
      at += found.length
    } else {
      flush()
      for (const part of found.content) {
        if (part.isNested && context.depth < MAX_DEPTH) read(part.text, part.context, tokens)
        else tokens.push(...toTokens(part.text, part.context))
      }
      at += found.length
    }
  }
  flush()
}

const toBlank = (word: string): string => (/^\s+$/.test(word) ? ' ' : word)

function toTokens(text: string, { marks, href }: Context): InlineToken[] {
  const words = marks.includes('code') ? (text.match(/\s+|\S+/g) ?? []) : splitWords(text)
  return words.map((word) => ({ text: toBlank(word), marks, href }))
}

interface Part {
  readonly text: string
  readonly context: Context
  readonly isNested: boolean
}

/** What begins here that is more than a letter; `content` as text goes on with the plain text. */
function readSpecial(text: string, at: number, context: Context): { length: number; content: string | Part[] } | null {
  const sign = text[at]
  switch (sign) {
    case '\\': {
      const next = text[at + 1]
      if (next === '\n') return { length: 2, content: ' ' }
      return next !== undefined && /[!-/:-@[-`{-~]/.test(next) ? { length: 2, content: next } : null
    }
    case '`':
      return readCode(text, at, context)
    case '!':
    case '[':
      return readLink(text, at, context)
    case '<':
      return readTag(text, at, context)
    case '{':
      return readExpression(text, at, context)
    case '&': {
      const entity = /^&[a-z]{2,8};/.exec(text.slice(at, at + 10))?.[0]
      const shown = entity === undefined ? undefined : ENTITIES[entity]
      return entity === undefined || shown === undefined ? null : { length: entity.length, content: shown }
    }
    case 'h': {
      if (context.href !== null || /\w/.test(text[at - 1] ?? '')) return null
      const url = BARE_URL.exec(text.slice(at, at + 2_050))?.[0]
      if (url === undefined) return null
      return { length: url.length, content: [leaf(url, { ...add(context, 'link'), href: url })] }
    }
    case '*':
    case '_':
    case '~': {
      const found = findEmphasis(text, at)
      if (found === null) return null
      const marks = found.marks.reduce(add, context)
      return { length: found.length, content: [{ text: found.text, context: marks, isNested: true }] }
    }
    default:
      return null
  }
}

const add = (context: Context, mark: Mark): Context => ({
  ...context,
  marks: context.marks.includes(mark) ? context.marks : [...context.marks, mark].sort(),
  depth: context.depth + 1,
})
const leaf = (text: string, context: Context): Part => ({ text, context, isNested: false })

function readCode(text: string, at: number, context: Context) {
  const fence = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? '`'
  let end = text.indexOf(fence, at + fence.length)
  while (end >= 0 && (text[end + fence.length] === '`' || text[end - 1] === '`')) {
    end = text.indexOf(fence, end + fence.length + 1)
  }
  if (end < 0) return { length: fence.length, content: fence }
  const code = text.slice(at + fence.length, end).replace(/^ (.*[^ ].*) $/s, '$1')
  return { length: end + fence.length - at, content: [leaf(code, add(context, 'code'))] }
}

function readLink(text: string, at: number, context: Context) {
  const [all, bang, label, href] = LINK.exec(text.slice(at, at + 5_000)) ?? []
  if (all === undefined || label === undefined || href === undefined) return null
  if (bang === '!') return { length: all.length, content: [leaf(label || 'image', { ...add(context, 'image'), href })] }
  return { length: all.length, content: [{ text: label, context: { ...add(context, 'link'), href }, isNested: true }] }
}

function readTag(text: string, at: number, context: Context) {
  const rest = text.slice(at, at + 2_100)
  const [link, href] = AUTOLINK.exec(rest) ?? []
  if (link !== undefined && href !== undefined) {
    return { length: link.length, content: [leaf(href, { ...add(context, 'link'), href })] }
  }
  const tag = TAG.exec(rest)?.[0]
  return tag === undefined ? null : { length: tag.length, content: [leaf(tag, add(context, 'literal'))] }
}

function readExpression(text: string, at: number, context: Context) {
  const expression = /^\{[^{}\n]{0,500}\}/.exec(text.slice(at, at + 510))?.[0]
  if (expression === undefined) return null
  return { length: expression.length, content: [leaf(expression, add(context, 'literal'))] }
}
