import { diffArrays } from 'diff'
import { markWords } from '../patch/mark-hunk.ts'
import type { BlockPair } from './align-blocks.ts'
import { diffInline } from './diff-inline.ts'
import type { Change, LiteralLine, ProseBlock, TableRow } from './prose-block.ts'
import type { Block, TextShape } from './split-blocks.ts'

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

/**
 * Compares two versions of text that is shown line by line, such as code, front matter and tags.
 * Null means that the text does not exist on that side.
 */
function diffLines(before: readonly string[] | null, after: readonly string[] | null): LiteralLine[] {
  if (before === null || after === null) {
    return (before ?? after ?? []).map((line) => toLine(line, before === null ? 'inserted' : 'removed'))
  }
  const lines: LiteralLine[] = []
  let removed: string[] = []
  for (const change of diffArrays([...before], [...after])) {
    if (change.removed) {
      removed = change.value
      continue
    }
    if (change.added) lines.push(...pairLines(removed, change.value))
    else lines.push(...pairLines(removed, []), ...change.value.map((line) => toLine(line, 'same')))
    removed = []
  }
  lines.push(...pairLines(removed, []))
  return lines
}

function pairLines(removed: readonly string[], inserted: readonly string[]): LiteralLine[] {
  const before = removed.map((line) => toLine(line, 'removed'))
  const after = inserted.map((line) => toLine(line, 'inserted'))
  if (removed.length !== inserted.length) return [...before, ...after]
  return removed.flatMap((old, index) => {
    const now = inserted[index] ?? ''
    const marks = markWords(old, now)
    return marks === null
      ? [toLine(old, 'removed'), toLine(now, 'inserted')]
      : [
          { change: 'removed', spans: marks.before },
          { change: 'inserted', spans: marks.after },
        ]
  })
}

function toLine(text: string, change: Change): LiteralLine {
  return { change, spans: [{ text, isChanged: false }] }
}

type Row = readonly string[]

/**
 * Compares two versions of a table, row by row and cell by cell. Columns are matched by their
 * headers. Null means that the table does not exist on that side.
 */
function diffTable(before: readonly Row[] | null, after: readonly Row[] | null): TableRow[] {
  if (before === null) return (after ?? []).map((row) => ({ cells: row.map((cell) => diffInline(null, cell)) }))
  if (after === null) return before.map((row) => ({ cells: row.map((cell) => diffInline(cell, null)) }))
  const columns = alignColumns(before[0] ?? [], after[0] ?? [])
  return alignRows(before, after).map(([old, now]) => ({
    cells: columns.map(([oldColumn, newColumn]) => {
      const was = old === null || oldColumn === null ? null : (old[oldColumn] ?? '')
      const is = now === null || newColumn === null ? null : (now[newColumn] ?? '')
      return was === null && is === null ? [] : diffInline(was, is)
    }),
  }))
}

type Column = readonly [number | null, number | null]

function alignColumns(before: Row, after: Row): Column[] {
  // If the number of columns is unchanged, columns with changed headers are treated as renamed.
  if (before.length === after.length) return before.map((_, index) => [index, index])
  let old = 0
  let now = 0
  return diffArrays([...before], [...after]).flatMap(({ count, added, removed }) =>
    Array.from({ length: count }, (): Column => [added ? null : old++, removed ? null : now++]),
  )
}

/** Pairs identical rows, then rows with the same first cell, then rows by position. */
function alignRows(before: readonly Row[], after: readonly Row[]): [Row | null, Row | null][] {
  const pairs: [Row | null, Row | null][] = []
  let removed: Row[] = []
  const flush = (inserted: Row[]) => {
    const rest = [...inserted]
    for (const row of removed) {
      const match = rest.findIndex((other) => other[0] === row[0])
      if (match >= 0) {
        pairs.push(...rest.splice(0, match).map((other): [null, Row] => [null, other]))
        pairs.push([row, rest.shift() ?? null])
      } else if (removed.length === inserted.length && rest.length > 0) pairs.push([row, rest.shift() ?? null])
      else pairs.push([row, null])
    }
    pairs.push(...rest.map((row): [null, Row] => [null, row]))
    removed = []
  }
  const comparator = (a: Row, b: Row) => a.length === b.length && a.every((cell, index) => cell === b[index])
  for (const change of diffArrays([...before], [...after], { comparator })) {
    if (change.removed) {
      removed = change.value
      continue
    }
    flush(change.added ? change.value : [])
    if (!change.added) pairs.push(...change.value.map((row): [Row, Row] => [row, row]))
  }
  flush([])
  return pairs
}
