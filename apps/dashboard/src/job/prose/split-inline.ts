import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { splitWords } from '../patch/mark-hunk.ts'
import { literal, literalFromMarkdown } from './literal.ts'

/** The formatting of a word. `literal` is a tag or an expression, which is shown unchanged. */
export type Mark = 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'image' | 'literal'

/**
 * A word, space or punctuation character with its formatting. `href` is the untrusted target of a
 * link or an image.
 */
export interface InlineToken {
  readonly text: string
  readonly marks: readonly Mark[]
  readonly href: string | null
}

/** Disables all block constructs. */
const DISABLED = [
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'definition',
  'gfmFootnoteDefinition',
  'headingAtx',
  'htmlFlow',
  'list',
  'setextUnderline',
  'table',
  'tasklistCheck',
  'thematicBreak',
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
/**
 * Limit on the parsing work, which grows with the text length times the number of markers. Text
 * above the limit is shown unchanged.
 */
const MAX_WORK = 2_000_000
const MAX_TEXT = 50_000

/**
 * Splits Markdown text into words with their inline formatting. Markup is never interpreted as
 * HTML.
 */
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
