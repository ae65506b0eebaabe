import type { BlockPair } from './align-blocks.ts'
import type { Block, TextShape } from './block.ts'
import { diffInline } from './diff-inline.ts'
import { diffLines } from './diff-lines.ts'
import { diffTable } from './diff-table.ts'
import type { Change, ProseBlock } from './prose-block.ts'

/**
 * Converts a pair of blocks into one block with revision marks for removed and inserted words.
 */
export function toProseBlock({ before, after }: BlockPair): ProseBlock {
  const change: Change = before === null ? 'inserted' : after === null ? 'removed' : 'same'
  const block = after ?? before
  if (block === null) return { kind: 'rule', change: 'same' }
  switch (block.kind) {
    case 'text': {
      const was = before?.kind === 'text' && after !== null ? describeOther(before.shape, block.shape) : null
      const runs = diffInline(readText(before), readText(after))
      return { kind: 'text', change, shape: block.shape, runs, was }
    }
    case 'lines': {
      const { shape, info } = block
      return { kind: 'lines', change, shape, info, lines: diffLines(readLines(before), readLines(after)) }
    }
    case 'table':
      return { kind: 'table', change, rows: diffTable(readRows(before), readRows(after)) }
    case 'rule':
      return { kind: 'rule', change }
  }
}

const readText = (block: Block | null) => (block?.kind === 'text' ? block.text : null)
const readLines = (block: Block | null) => (block?.kind === 'lines' ? block.lines : null)
const readRows = (block: Block | null) => (block?.kind === 'table' ? block.rows : null)

/** Returns the block's previous type, or null if the type is unchanged. */
function describeOther(before: TextShape, after: TextShape): string | null {
  const [old, now] = [describe(before), describe(after)]
  return old === now ? null : old
}

function describe(shape: TextShape): string {
  switch (shape.tag) {
    case 'heading':
      return `heading ${shape.level}`
    case 'item':
      if (shape.checked !== null) return shape.checked ? 'checked' : 'unchecked'
      return shape.marker === '•' ? 'list item' : 'numbered item'
    case 'quote':
      return 'quote'
    case 'paragraph':
      return 'paragraph'
  }
}
