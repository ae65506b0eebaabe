import type { FileChange } from '@corrigenda/contracts'
import type { LineComment } from '../memory/job-memory.ts'
import type { DiffLine } from '../patch/file-patch.ts'
import type { DiffRow } from './build-rows.ts'
import { containsLine, type LineRange } from './line-range.ts'

/** Returns the lines that a row shows, or null if it is not a row of content. */
export function findLines(row: DiffRow | undefined): readonly DiffLine[] | null {
  return row && 'lines' in row ? row.lines : null
}

/** Returns the index of the first row of each change: of consecutive rows with changed lines. */
export function listChanges(rows: readonly DiffRow[]): number[] {
  const starts: number[] = []
  let isWithin = false
  for (const [index, row] of rows.entries()) {
    const isChanged = findLines(row)?.some(({ kind }) => kind !== 'same') ?? false
    if (isChanged && !isWithin) starts.push(index)
    isWithin = isChanged
  }
  return starts
}

/** Inserts the comments below the last of their lines. Comments on lines that are not shown are left out. */
export function addComments(
  rows: readonly DiffRow[],
  files: readonly FileChange[],
  comments: readonly LineComment[],
): readonly DiffRow[] {
  const byRow = new Map<number, DiffRow[]>()
  for (const comment of comments) {
    const file = files.findIndex(({ path }) => path === comment.path)
    const index = file === -1 ? null : findRow(rows, file, comment)
    if (index === null) continue
    const row: DiffRow = { kind: 'comment', key: `${file} comment ${comment.id}`, file, comment }
    byRow.set(index, [...(byRow.get(index) ?? []), row])
  }
  if (byRow.size === 0) return rows
  return rows.flatMap((row, index) => [row, ...(byRow.get(index) ?? [])])
}

/**
 * Returns the index of the row with the last line of a range, or the row before it if that line is
 * part of no row, such as an empty line between two rendered blocks. Null if the file shows none of
 * these lines.
 */
export function findRow(rows: readonly DiffRow[], file: number, range: LineRange): number | null {
  let found: number | null = null
  for (const [index, row] of rows.entries()) {
    if (row.file !== file) continue
    const lines = findLines(row)
    if (lines?.some((line) => containsLine({ ...range, from: range.to }, line))) return index
    if (lines?.some((line) => containsLine({ ...range, from: 1 }, line))) found = index
  }
  return found
}
