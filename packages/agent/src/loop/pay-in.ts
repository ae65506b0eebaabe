import { addUsage } from '../model/add-usage.ts'
import type { TranscriptRow, TurnUsage } from '../model/transcript.ts'

/** Adds the usage of failed calls to the first row that can store it. */
export function payIn(rows: readonly TranscriptRow[], unpaid: TurnUsage | null): readonly TranscriptRow[] {
  const index = unpaid === null ? -1 : rows.findIndex((row) => row.role !== 'header')
  return rows.map((row, at) => {
    if (at !== index || row.role === 'header') return row
    const failed = addUsage(unpaid, row.failed)
    return failed === null ? row : { ...row, failed }
  })
}
