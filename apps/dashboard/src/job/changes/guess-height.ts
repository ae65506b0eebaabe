import type { Block } from '../prose/block.ts'
import type { DiffRow } from './build-rows.ts'

const HEIGHTS: Readonly<Record<Exclude<DiffRow['kind'], 'line' | 'block' | 'beside'>, number>> = {
  file: 45,
  note: 36,
  columns: 29,
  place: 29,
  comment: 150,
  end: 17,
}
const CODE_LINE = 20
const PROSE_LINE = 26
/** Average widths of a character, in px. */
const CODE_CHARACTER = 7.3
const PROSE_CHARACTER = 7.2
/** Width of the line numbers, in px. */
const NUMBERS = 118
/** Maximum width of a paragraph, in px. */
const MAX_PROSE = 620

/**
 * Estimates a row's height in px before it is measured. The scroll bar moves less while the user
 * scrolls, the closer the estimate is.
 * @param width of the list in px
 */
export function guessHeight(row: DiffRow | undefined, width: number): number {
  if (row === undefined) return CODE_LINE
  switch (row.kind) {
    case 'line':
      return guessLine(row.line.text, width - NUMBERS)
    case 'block':
      return guessBlock(row.pair.after ?? row.pair.before, width)
    case 'beside': {
      const source = row.lines.reduce((sum, { text }) => sum + guessLine(text, width / 2 - 60), 0)
      return Math.max(source, row.pair ? guessBlock(row.pair.after ?? row.pair.before, width / 2) : 0)
    }
    default:
      return HEIGHTS[row.kind]
  }
}

const guessLine = (text: string, width: number): number =>
  Math.max(1, Math.ceil((Math.min(text.length, 2_000) * CODE_CHARACTER) / Math.max(width, 80))) * CODE_LINE

function guessBlock(block: Block | null, width: number): number {
  switch (block?.kind) {
    case 'text': {
      const space = Math.max(80, Math.min(width - 34, MAX_PROSE))
      return 8 + Math.max(1, Math.ceil((block.text.length * PROSE_CHARACTER) / space)) * PROSE_LINE
    }
    case 'lines':
      return 26 + Math.min(block.lines.length, 120) * 18
    case 'table':
      return 8 + Math.min(block.rows.length, 120) * 31
    default:
      return 34
  }
}
