import type { Block } from './block.ts'
import { type BlockStart, findBlockStart } from './find-block-start.ts'
import { isDelimiterRow, splitCells } from './table-rows.ts'

const FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)*(`{3,}|~{3,})(.*)$/

/** Where a part of a document begins. */
export interface Beginning {
  /** Within a fenced block of code, whose first fence is not in sight. */
  readonly isInCode: boolean
  /** Within front matter. */
  readonly isInMatter: boolean
}

/** The blocks of consecutive lines of a Markdown or MDX document. Never throws; what fits nowhere is a paragraph. */
export function splitBlocks(lines: readonly string[], beginning: Beginning): Block[] {
  const blocks: Block[] = []
  let at = 0
  if (beginning.isInMatter) at = takeMatter(lines, blocks)
  else if (beginning.isInCode) at = takeCode(lines, blocks, { at: 0, content: 0, fence: '```', info: '' })
  while (at < lines.length) at = takeBlock(lines, blocks, at)
  return blocks
}

function takeMatter(lines: readonly string[], blocks: Block[]): number {
  const first = lines[0]?.trim() === '---' ? 1 : 0
  const end = lines.findIndex((line, index) => index >= first && line.trim() === '---')
  const to = end < 0 ? lines.length : end + 1
  blocks.push({
    ...{ kind: 'lines', shape: 'matter', info: '', from: 0, to },
    lines: lines.slice(first, end < 0 ? to : end),
  })
  return to
}

function takeCode(
  lines: readonly string[],
  blocks: Block[],
  open: { at: number; content: number; fence: string; info: string },
): number {
  let end = open.content
  while (end < lines.length && !isClosing(lines[end] ?? '', open.fence)) end += 1
  const to = Math.min(end + 1, lines.length)
  const content = lines.slice(open.content, end)
  // A fence at the very end of a hunk says nothing about what is in it.
  if (content.length === 0 && end === lines.length) return to
  blocks.push({ kind: 'lines', shape: 'code', info: open.info, from: open.at, to, lines: content })
  return to
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text === (fence[0] ?? '`').repeat(text.length)
}

function takeBlock(lines: readonly string[], blocks: Block[], at: number): number {
  const line = lines[at] ?? ''
  if (line.trim() === '') return at + 1
  const fence = FENCE.exec(line)
  if (fence?.[1] !== undefined && !(fence[1].startsWith('`') && fence[2]?.includes('`'))) {
    return takeCode(lines, blocks, { at, content: at + 1, fence: fence[1], info: (fence[2] ?? '').trim() })
  }
  const start = findBlockStart(line)
  if (start.kind === 'literal') return takeLiteral(lines, blocks, { at, start })
  if (start.kind === 'rule') {
    blocks.push({ kind: 'rule', from: at, to: at + 1 })
    return at + 1
  }
  if (line.includes('|') && isDelimiterRow(lines[at + 1])) return takeTable(lines, blocks, at)
  // A hunk may begin within a table.
  if (/^\s*\|.*\|\s*$/.test(line)) return takeTable(lines, blocks, at)
  return takeText(lines, blocks, { at, start })
}

/** Tags may go over several lines, until the bracket that was opened first is closed. */
function takeLiteral(
  lines: readonly string[],
  blocks: Block[],
  { at, start }: { at: number; start: BlockStart & { kind: 'literal' } },
): number {
  let end = at
  while (end < lines.length && !(lines[end] ?? '').includes(start.until)) {
    end += 1
    // Nothing that is left open swallows what follows the next empty line.
    if (end < lines.length && start.until !== '*/}' && start.until !== '-->' && lines[end]?.trim() === '') {
      end -= 1
      break
    }
  }
  const to = Math.min(end + 1, lines.length)
  blocks.push({ kind: 'lines', shape: 'literal', info: '', from: at, to, lines: lines.slice(at, to) })
  return to
}

function takeTable(lines: readonly string[], blocks: Block[], at: number): number {
  let end = at
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1
  const rows = lines.slice(at, end).filter((line) => !isDelimiterRow(line))
  blocks.push({ kind: 'table', from: at, to: end, rows: rows.map(splitCells) })
  return end
}

function takeText(
  lines: readonly string[],
  blocks: Block[],
  { at, start }: { at: number; start: Exclude<BlockStart, { kind: 'literal' | 'rule' }> },
): number {
  const texts = [start.text]
  let end = at + 1
  let shape = start.shape
  while (end < lines.length && start.shape.tag !== 'heading') {
    const line = lines[end] ?? ''
    const underline = /^\s{0,3}(=+|-+)\s*$/.exec(line)?.[1]
    if (underline !== undefined && shape.tag === 'paragraph') {
      shape = { tag: 'heading', level: underline.startsWith('=') ? 1 : 2 }
      end += 1
      break
    }
    if (line.trim() === '' || FENCE.test(line) || !continuesText(line, start)) break
    texts.push(line.trim().replace(/^(>\s?)+/, ''))
    end += 1
  }
  blocks.push({ kind: 'text', from: at, to: end, shape, text: texts.join('\n') })
  return end
}

/** Whether a line goes on with the text before it, and begins nothing of its own. */
function continuesText(line: string, before: Exclude<BlockStart, { kind: 'literal' | 'rule' }>): boolean {
  const next = findBlockStart(line)
  if (next.kind === 'literal') return next.isInline
  if (next.kind === 'rule') return false
  if (before.shape.tag === 'quote') {
    return next.shape.tag === 'paragraph' || (next.shape.tag === 'quote' && next.shape.depth === before.shape.depth)
  }
  return next.shape.tag === 'paragraph'
}
