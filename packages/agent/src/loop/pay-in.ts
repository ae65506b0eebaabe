import { addUsage } from '../model/add-usage.ts'
import type { TranscriptRow, TurnUsage } from '../model/transcript.ts'

/** What failed calls had used goes with the first row that can tell it. */
export function payIn(rows: readonly TranscriptRow[], unpaid: TurnUsage | null): readonly TranscriptRow[] {
  const index = unpaid === null ? -1 : rows.findIndex((row) => row.role !== 'header')
  return rows.map((row, at) => {
    if (at !== index || row.role === 'header') return row
    const failed = addUsage(unpaid, row.failed)
    return failed === null ? row : { ...row, failed }
  })
}
