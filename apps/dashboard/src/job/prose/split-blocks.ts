import type { Nodes, TableRow } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type CodeFence, findCodeFence, isClosing } from './literal.ts'

/** The shape of a block that contains text with inline formatting. */
export type TextShape =
  | { readonly tag: 'paragraph' }
  | { readonly tag: 'heading'; readonly level: number }
  /**
   * `depth` counts from 0. `marker` is the bullet or number. `checked` is null if the item is not a
   * task.
   */
  | { readonly tag: 'item'; readonly depth: number; readonly marker: string; readonly checked: boolean | null }
  | { readonly tag: 'quote'; readonly depth: number }

/**
 * The shape of a block that is shown line by line: code, front matter, text that is not Markdown
 * (imports, comments), or a tag, whose `info` is `open`, `close` or `empty`.
 */
export type LinesShape = 'code' | 'matter' | 'literal' | 'tag'

/**
 * A block of a Markdown document. `from` and `to` (exclusive) delimit its lines, counted from 0.
 * `boxes` is the number of components around it.
 */
export type Block = { readonly from: number; readonly to: number; readonly boxes?: number } & (
  | { readonly kind: 'text'; readonly shape: TextShape; readonly text: string }
  | { readonly kind: 'lines'; readonly shape: LinesShape; readonly info: string; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }
)

/** Tags that are usually part of a sentence. */
const INLINE_TAG = /^<\/?(?:a|b|br|code|em|i|kbd|mark|s|span|strong|sub|sup|u)\b/i

const ONLY_TAGS = /^(?:<[^<>]*>\s*)+$/

/** Site generator container markers, link and footnote definitions, and MDX imports and exports. */
const ONE_LINE = /^(?::{3,}|!{3}\s|\[[^\]]+\]:\s|import\s.+\sfrom\s|import\s['"]|export\s)/

/**
 * Disabled constructs. `splitInline` parses inline formatting later. Indented code is disabled, as
 * in MDX, where the content of tags is often indented.
 */
const DISABLED = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeIndented',
  'codeText',
  'definition',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'hardBreakEscape',
  'htmlFlow',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
]
/**
 * Character code of `[`, which starts a task marker. Only the extensions for tables and task lists
 * are enabled, because the others would double the parse time.
 */
const BRACKET = 91
const { flow = {}, text: { [BRACKET]: task = [] } = {} } = gfm()
const OPTIONS = {
  extensions: [{ flow, text: { [BRACKET]: task } }, { disable: { null: DISABLED } }],
  mdastExtensions: gfmFromMarkdown().map(({ transforms: _transforms, ...extension }) => extension),
}
/**
 * Lines with deeper nesting are treated as text, because the time to parse nested lists and quotes
 * grows with the square of the depth.
 */
const TOO_DEEP = /^\s{100}|^(?:\s*(?:>|[-*+]\s|\d{1,9}[.)]\s)){20}/
const MAX_DEPTH = 6

/** Parses the lines of a Markdown or MDX document into blocks, in order. Never throws. */
export function splitBlocks(lines: readonly string[]): Block[] {
  const { blocks, rest } = takeLiterals(lines)
  // Line breaks and byte order marks within a line would shift all later positions.
  const plain = rest.map((line) => line.trimEnd().replace(/[\r\uFEFF]/g, ' '))
  const source = plain.map((line) => (TOO_DEEP.test(line) ? `\\${line.trim()}` : line)).join('\n')
  const read = buildReader(lines, source)
  const parsed = read(fromMarkdown(source, OPTIONS), { quotes: 0, depth: -1 })
  return boxTags([...blocks, ...parsed].sort((a, b) => a.from - b.from))
}

/** The quotes and lists around a node. `depth` is the 0-based list level, or -1 outside lists. */
interface Nesting {
  readonly quotes: number
  readonly depth: number
}

function buildReader(lines: readonly string[], source: string) {
  const toText = (node: Nodes, shape: TextShape): Block => ({
    ...toRange(node),
    kind: 'text',
    shape,
    text: readText(node, source),
  })
  return function read(node: Nodes, nesting: Nesting): Block[] {
    const { quotes, depth } = nesting
    const range = toRange(node)
    switch (node.type) {
      case 'heading':
        return [toText(node, { tag: 'heading', level: node.depth })]
      case 'paragraph':
        return [toText(node, quotes > 0 ? { tag: 'quote', depth: quotes } : { tag: 'paragraph' })]
      case 'table':
        return [{ ...range, kind: 'table', rows: node.children.map((row) => readCells(row, source)) }]
      case 'code': {
        const count = node.value === '' ? 0 : node.value.split('\n').length
        const content = lines.slice(range.from + 1, range.from + 1 + count)
        const info = [node.lang, node.meta].filter(Boolean).join(' ')
        return [{ ...range, kind: 'lines', shape: 'code', info, lines: content }]
      }
      case 'thematicBreak':
        return [{ ...range, kind: 'rule' }]
      case 'list':
        return node.children.flatMap((item) => read(item, { quotes, depth: Math.min(depth + 1, MAX_DEPTH) }))
      case 'listItem': {
        const [first, ...others] = node.children
        const sign = /^\d+[.)]/.exec(source.slice(node.position?.start.offset, node.position?.end.offset))?.[0]
        const shape: TextShape = { tag: 'item', depth, marker: sign ?? '•', checked: node.checked ?? null }
        if (first === undefined) return [{ ...range, kind: 'text', shape, text: '' }]
        const own = first.type === 'paragraph' ? [toText(first, shape)] : read(first, nesting)
        return [...own, ...others.flatMap((child) => read(child, nesting))]
      }
      case 'blockquote':
        return node.children.flatMap((child) => read(child, { depth, quotes: quotes + 1 }))
      case 'root':
        return node.children.flatMap((child) => read(child, nesting))
      default:
        return []
    }
  }
}

/** Returns a node's 0-based line range. `to` is exclusive. */
function toRange({ position }: Nodes): { from: number; to: number } {
  return { from: (position?.start.line ?? 1) - 1, to: position?.end.line ?? 0 }
}

/** Returns a node's text without the markers of surrounding lists and quotes. */
function readText(node: Nodes, source: string): string {
  const content = 'children' in node ? node.children : []
  const from = content[0]?.position?.start.offset ?? 0
  const to = content.at(-1)?.position?.end.offset ?? from
  return source.slice(from, to).replace(/\n[ \t]*(?:>[ \t]?)*/g, '\n')
}

const readCells = (row: TableRow, source: string): string[] =>
  row.children.map((cell) => readText(cell, source).replaceAll('\\|', '|'))

/**
 * Extracts the blocks that a Markdown parser cannot recognize: front matter, and MDX and site
 * generator syntax. `rest` contains all lines, with empty lines in place of these blocks.
 */
function takeLiterals(lines: readonly string[]): { blocks: Block[]; rest: string[] } {
  const blocks = takeMatter(lines)
  let at = blocks[0]?.to ?? 0
  const rest = lines.slice(0, at).fill('')
  let open: CodeFence | null = null
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const until: string | null = open === null ? findEnd(line.trim()) : null
    if (until === null) {
      if (open === null) open = findCodeFence(line)
      else if (isClosing(line, open)) open = null
      rest.push(line)
      at += 1
      continue
    }
    const to = endLiteral(lines, at, until)
    blocks.push({ kind: 'lines', shape: 'literal', info: '', from: at, to, lines: lines.slice(at, to) })
    while (at < to) at = rest.push('')
  }
  return { blocks, rest }
}

function takeMatter(lines: readonly string[]): Block[] {
  const isMark = (line: string | undefined) => line?.trim() === '---'
  const end = isMark(lines[0]) ? lines.findIndex((line, index) => index > 0 && isMark(line)) : -1
  if (end === -1) return []
  return [{ kind: 'lines', shape: 'matter', info: '', from: 0, to: end + 1, lines: lines.slice(1, end) }]
}

/** Returns the end marker of the literal block that starts on this line, or null if none does. */
function findEnd(text: string): string | null {
  if (text.startsWith('{/*')) return '*/}'
  if (text.startsWith('<!--')) return '-->'
  if (/^<(?:\/?[A-Za-z][\w.-]*|\/?>)/.test(text)) {
    const isText = INLINE_TAG.test(text) && !ONLY_TAGS.test(text)
    return isText || /^<[a-z][a-z0-9+.-]*:/i.test(text) ? null : '>'
  }
  return ONE_LINE.test(text) ? '' : null
}

/** Returns the exclusive end of a literal block. A tag block never extends past an empty line. */
function endLiteral(lines: readonly string[], from: number, until: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (until === '>' && line.trim() === '') return at
    if (line.includes(until)) return at + 1
  }
  return lines.length
}

const TAG = /^<(\/?)([A-Za-z][\w.-]*)(?![\w.-])([^<>]*)>$/
const CONTAINER = /^:{3,}(?:[ \t]*(\S.*))?$/

interface Tag {
  /** Name that the closing tag repeats. */
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  /** The name and the attributes. */
  readonly text: string
}

/**
 * Marks the tags of components, such as `<Note>`, and the containers of site generators, such as
 * `:::tip`, and counts the components around each block. Tags that are not closed stay literal.
 */
function boxTags(blocks: readonly Block[]): Block[] {
  const tags = blocks.map(readTag)
  const closed = new Set<number>()
  const open: number[] = []
  for (const [index, tag] of tags.entries()) {
    if (tag?.kind === 'open') open.push(index)
    if (tag?.kind !== 'close') continue
    const from = open.findLastIndex((one) => tags[one]?.name === tag.name)
    if (from === -1) continue
    closed.add(index).add(open[from] ?? index)
    open.length = from
  }
  let depth = 0
  return blocks.map((block, index) => {
    const tag = tags[index] ?? null
    if (block.kind !== 'lines' || tag === null || (tag.kind !== 'empty' && !closed.has(index))) {
      return depth === 0 ? block : { ...block, boxes: depth }
    }
    if (tag.kind === 'open') depth += 1
    const boxes = tag.kind === 'empty' ? depth + 1 : depth
    if (tag.kind === 'close') depth -= 1
    return { ...block, shape: 'tag', info: tag.kind, lines: tag.text.split('\n'), boxes }
  })
}

function readTag(block: Block): Tag | null {
  if (block.kind !== 'lines' || block.shape !== 'literal') return null
  const source = block.lines.join('\n').trim()
  const container = CONTAINER.exec(source)
  if (container) return { name: ':::', kind: container[1] ? 'open' : 'close', text: container[1] ?? '' }
  const [, slash, name = '', rest = ''] = TAG.exec(source) ?? []
  if (slash === undefined) return null
  if (slash === '/') return { name, kind: 'close', text: '' }
  const isEmpty = rest.endsWith('/')
  return { name, kind: isEmpty ? 'empty' : 'open', text: `${name}${isEmpty ? rest.slice(0, -1) : rest}`.trimEnd() }
}
