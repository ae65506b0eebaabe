import { blankComments } from './blank-comments.ts'
import { type Dialect, hasDirectives, isVue } from './dialect.ts'
import { findCodeLines } from './find-code-lines.ts'
import { findShortcodes } from './find-shortcodes.ts'
import { type BlockMark, findUnclosed } from './find-unclosed.ts'
import type { OpenBlock } from './open-block.ts'
import type { ParsedPage } from './parse-page.ts'

const CONTAINER = /^[ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}){0,3}(:{3,50}|\/{3,50})[ \t]{0,20}(\S.*)?$/
const COLON_NAME = /^(?:\{[\w:-]{1,100}\}|[A-Za-z][\w-]{0,100}(?![\w.]))/
const SLASH_NAME = /^[A-Za-z][\w-]{0,100}(?=[ \t]*(?:\||$))/
/** Blocks of GitBook that need an end. */
const TAG =
  /\{%[ \t]{0,9}(end)?(hint|tabs|tab|content-ref|code|stepper|step|columns|column|updates|update)\b[^{}\n]{0,1000}%\}/g
const ADMONITION = /^([ \t]{0,40})(?:!!!|\?\?\?\+?)[ \t]{1,9}[\w-][\w -]{0,100}(?:"[^"\n]{0,500}")?[ \t]*$/
const NO_TEXT = /^(?:!!!|\?\?\?|===)/
const MAX_BLOCKS = 100
const MAX_DEPTH = 100

/** Returns the blocks of a page that have no end. The site decides which notations apply. */
export function findOpenBlocks(text: string, dialect: Dialect, { events }: ParsedPage): OpenBlock[] {
  const hasLines = /:::|\/\/\/|\{%|!!!|\?\?\?/.test(text)
  const found = [
    ...(hasDirectives(dialect) ? findOpenDirectives(events) : []),
    ...(hasLines ? findInLines(text, dialect, findCodeLines(events)) : []),
    ...findShortcodes(text).open,
  ]
  return found.slice(0, MAX_BLOCKS)
}

/** Returns the outermost directives without an end. The end of a directive closes those in it. */
function findOpenDirectives(events: ParsedPage['events']): OpenBlock[] {
  const found: OpenBlock[] = []
  let [depth, line, shown, fences] = [0, 0, '', 0]
  for (const [when, token, context] of events) {
    // The extension adds token types.
    const type: string = token.type
    if (type === 'directiveContainer') depth += when === 'enter' ? 1 : -1
    if (depth > 1 || !type.startsWith('directiveContainer')) continue
    if (type === 'directiveContainer' && when === 'enter') [line, shown, fences] = [token.start.line, '', 0]
    else if (type === 'directiveContainer' && depth === 0 && fences < 2)
      found.push({ form: 'colons', name: shown, line, end: /^:*/.exec(shown)?.[0] ?? '' })
    if (when === 'exit') continue
    if (type === 'directiveContainerFence') fences += 1
    else if (fences === 1 && /(?:Sequence|Name)$/.test(type) && !/Attribute/.test(type))
      shown += context.sliceSerialize(token)
  }
  return found
}

type ShownMark = BlockMark & { readonly shown: string }

/**
 * Returns the containers of VitePress and MyST without an end, and the ends without a container. An
 * end closes the outermost container whose fence is not longer, and all containers in it.
 */
function matchContainers(marks: readonly ShownMark[]): { open: ShownMark[]; stray: ShownMark[] } {
  const open: ShownMark[] = []
  const stray: ShownMark[] = []
  for (const mark of marks) {
    const closed = mark.isEnd ? open.findIndex(({ size }) => size <= mark.size) : -1
    if (!mark.isEnd && open.length < MAX_DEPTH) open.push(mark)
    else if (closed !== -1) open.splice(closed)
    else if (mark.isEnd) stray.push(mark)
  }
  return { open: open.slice(0, 1), stray }
}

function findInLines(text: string, dialect: Dialect, isCode: (line: number) => boolean): OpenBlock[] {
  const colons: ShownMark[] = []
  const slashes: typeof colons = []
  const tags: typeof colons = []
  const empty: OpenBlock[] = []
  const lines = blankComments(text).split('\n')
  for (const [index, row] of lines.entries()) {
    const line = index + 1
    if (!/:::|\/\/\/|\{%|!!!|\?\?\?/.test(row) || isCode(line)) continue
    const [, fence = '', rest = ''] = CONTAINER.exec(row) ?? []
    const size = fence.length
    const isColons = fence.startsWith(':')
    const name = (isColons ? COLON_NAME : SLASH_NAME).exec(rest)?.[0]
    if (fence !== '' && (rest === '' || name !== undefined)) {
      const mark = { line, name: name ?? '', size, isEnd: rest === '', shown: fence }
      ;(isColons ? colons : slashes).push(mark)
    }
    // A table cannot contain blocks.
    const cells = /^[ \t]*\|/.test(row) ? '' : row
    for (const [shown, end, tag = ''] of cells.replace(/`[^`]{1,500}`/g, '').matchAll(TAG))
      tags.push({ line, name: tag, size: 0, isEnd: end !== undefined, shown })
    const indent = ADMONITION.exec(row)?.[1]
    // A block with a title may have no content.
    const isBlank = lines[index + 1]?.trim() === '' && !row.includes('"')
    const next = line + (isBlank ? 2 : 1)
    if (indent !== undefined && isUnindented(lines[next - 1] ?? '', indent) && !isCode(next))
      empty.push({ form: 'indent', name: row.trim(), line, end: '' })
  }
  const { open, stray } = hasDirectives(dialect) ? { open: [], stray: [] } : matchContainers(colons)
  return [
    ...open.map(({ line, name, shown }) => ({ form: 'colons' as const, name: shown + name, line, end: shown })),
    ...(isVue(dialect) ? stray : []).map(({ line, shown }) => ({
      form: 'colons' as const,
      name: '',
      line,
      end: shown,
    })),
    ...findUnclosed(slashes).map(({ line, name, shown }) => ({
      form: 'slashes' as const,
      name: `${shown} ${name}`,
      line,
      end: shown,
    })),
    ...findUnclosed(tags).map(({ line, name }) => ({
      form: 'tags' as const,
      name: `{% ${name} %}`,
      line,
      end: `{% end${name} %}`,
    })),
    ...empty,
  ]
}

/** Returns true if the line after `!!! note` is text with the same indentation. */
function isUnindented(line: string, indent: string): boolean {
  const text = line.slice(indent.length)
  return line.startsWith(indent) && /^[A-Za-z]/.test(text) && !NO_TEXT.test(text)
}
