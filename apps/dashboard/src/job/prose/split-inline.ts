import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { splitWords } from '../patch/split-words.ts'
import { literal, literalFromMarkdown } from './literal.ts'

/** How a word is set. `literal`: a tag or an expression, shown as it is written. */
export type Mark = 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'image' | 'literal'

/** A word (or blank, or sign) of a text, with its formatting. `href` is what a link or an image points to: untrusted. */
export interface InlineToken {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly href: string | null
}

/** Everything that is a block. */
const DISABLED = [
  ...['blockQuote', 'codeFenced', 'codeIndented', 'definition', 'gfmFootnoteDefinition', 'headingAtx', 'htmlFlow'],
  ...['list', 'setextUnderline', 'table', 'tasklistCheck', 'thematicBreak'],
]
const OPTIONS = {
  extensions: [gfm({ singleTilde: false }), literal, { disable: { null: DISABLED } }],
  mdastExtensions: [
    ...gfmFromMarkdown().map(({ transforms: _transforms, ...extension }) => extension),
    literalFromMarkdown,
  ],
}
const SIGNS = /[!&*<[\]_`{~\\@]/g
const URL_START = /https?:|www\./i
/** The time to parse a text grows with its length times its signs. Beyond this it is shown as it is written. */
const MAX_WORK = 2_000_000
const MAX_TEXT = 50_000

/** Words of Markdown text with their inline formatting. No markup is ever interpreted as HTML. */
export function splitInline(text: string): InlineToken[] {
  const signs = text.match(SIGNS)?.length ?? 0
  const isPlain = signs === 0 && !URL_START.test(text)
  if (isPlain || text.length > MAX_TEXT || text.length * signs > MAX_WORK) return toTokens(text, [], null)
  return read(fromMarkdown(text, OPTIONS), [], null)
}

function read(node: Nodes, marks: readonly Mark[], href: string | null): InlineToken[] {
  const readAll = (children: readonly Nodes[], mark: Mark, to = href) =>
    children.flatMap((child) => read(child, add(marks, mark), to))
  switch (node.type) {
    case 'text':
      return toTokens(node.value, marks, href)
    case 'strong':
      return readAll(node.children, 'strong')
    case 'emphasis':
      return readAll(node.children, 'emphasis')
    case 'delete':
      return readAll(node.children, 'strike')
    case 'link':
      return readAll(node.children, 'link', node.url)
    case 'image':
      return toTokens(node.alt || 'image', add(marks, 'image'), node.url)
    case 'inlineCode':
      return toTokens(node.value, add(marks, 'code'), href)
    case 'html':
      return toTokens(node.value, add(marks, 'literal'), href)
    case 'break':
      return toTokens(' ', marks, href)
    case 'root':
    case 'paragraph':
      return node.children.flatMap((child) => read(child, marks, href))
    default:
      return []
  }
}

const add = (marks: readonly Mark[], mark: Mark): readonly Mark[] =>
  marks.includes(mark) ? marks : [...marks, mark].sort()

function toTokens(text: string, marks: readonly Mark[], href: string | null): InlineToken[] {
  const words = marks.includes('code') ? (text.match(/\s+|\S+/g) ?? []) : splitWords(text)
  return words.map((word) => ({ text: /^\s+$/.test(word) ? ' ' : word, marks, href }))
}
