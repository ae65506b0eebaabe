import { addUsage } from '../model/add-usage.ts'
import type { TranscriptRow, TurnUsage } from '../model/transcript.ts'

/** Adds the usage of failed calls to the first row that can store it. */
export function attachUnbilledUsage(
  rows: readonly TranscriptRow[],
  unbilled: TurnUsage | null,
): readonly TranscriptRow[] {
  const index = unbilled === null ? -1 : rows.findIndex((row) => row.role !== 'header')
  return rows.map((row, at) => {
    if (at !== index || row.role === 'header') return row
    const failed = addUsage(unbilled, row.failed)
    return failed === null ? row : { ...row, failed }
  })
}
