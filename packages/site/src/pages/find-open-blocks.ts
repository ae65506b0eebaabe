import { blankComments } from './blank-comments.ts'
import { findShortcodes } from './find-shortcodes.ts'
import { type BlockMark, findUnclosed } from './find-unclosed.ts'
import type { OpenBlock } from './open-block.ts'

const CONTAINER = /^[ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}){0,3}(:{3,50}|\/{3,50})[ \t]{0,20}(\S.*)?$/
const COLON_NAME = /^(?:\{[\w:-]{1,100}\}|[A-Za-z][\w-]{0,100}(?![\w.]))/
const SLASH_NAME = /^[A-Za-z][\w-]{0,100}(?=[ \t]*(?:\||$))/
/** Blocks of GitBook that need an end. */
const TAG =
  /\{%[ \t]{0,9}(end)?(hint|tabs|tab|content-ref|code|stepper|step|columns|column|updates|update)\b[^{}\n]{0,1000}%\}/g
const ADMONITION = /^([ \t]{0,40})(?:!!!|\?\?\?\+?)[ \t]{1,9}[\w-][\w -]{0,100}(?:"[^"\n]{0,500}")?[ \t]*$/
const NO_TEXT = /^(?:!!!|\?\?\?|===)/
const MAX_BLOCKS = 100

/**
 * Returns the blocks of a page that have no end. The site decides which notations apply.
 * @param isCode returns true if a line (1-based) is part of a code block
 */
export function findOpenBlocks(text: string, isCode: (line: number) => boolean): OpenBlock[] {
  const hasLines = /:::|\/\/\/|\{%|!!!|\?\?\?/.test(text)
  const found = [...(hasLines ? findInLines(text, isCode) : []), ...findShortcodes(text).open]
  return found.slice(0, MAX_BLOCKS)
}

function findInLines(text: string, isCode: (line: number) => boolean): OpenBlock[] {
  const colons: (BlockMark & { readonly shown: string })[] = []
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
    const next = lines[index + 1] ?? ''
    if (indent !== undefined && isUnindented(next, indent) && !isCode(line + 1))
      empty.push({ form: 'indent', name: row.trim(), line, end: '' })
  }
  return [
    ...findUnclosed(colons).map(({ line, name, shown }) => ({
      form: 'colons' as const,
      name: shown + name,
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
