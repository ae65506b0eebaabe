import { diffArrays } from 'diff'
import { diffInline } from './diff-inline.ts'
import type { TableRow } from './prose-block.ts'

type Row = readonly string[]

/**
 * Compares two versions of a table, row by row and cell by cell. Columns are matched by their
 * headers. Null means that the table does not exist on that side.
 */
export function diffTable(before: readonly Row[] | null, after: readonly Row[] | null): TableRow[] {
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
