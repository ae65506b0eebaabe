import { DownloadError } from '../sites/corpus/download-error.ts'
import type { PackageRecord } from './corpus/package-record.ts'
import { type MeasuredChange, measurePackage } from './measure/measure-package.ts'
import { formatChanges } from './report/format-changes.ts'
import { findVerdict } from './verdicts.ts'

export interface LeaksInput {
  readonly records: readonly PackageRecord[]
  /** Folder for downloads, which is kept. */
  readonly cache: string
  print(line: string): void
}

export interface LeaksReport {
  readonly changes: readonly MeasuredChange[]
  readonly skipped: readonly string[]
  /** Number of findings without a verdict. */
  readonly open: number
}

/** Measures the false refusals of the leak guard. Skips packages that cannot be downloaded. */
export async function runLeaks({ records, cache, print }: LeaksInput): Promise<LeaksReport> {
  const changes: MeasuredChange[] = []
  const skipped: string[] = []
  for (const record of records) {
    const measured = await measurePackage(record, cache).catch((error: unknown) => {
      if (!(error instanceof DownloadError)) throw error
      skipped.push(`${record.id}: ${error.message}`)
      return []
    })
    changes.push(...measured)
    const refused = measured.filter(({ refusals }) => refusals.length > 0).length
    print(`${record.id}: ${measured.length} changes, ${refused} refused`)
  }
  const { text, open } = formatChanges(changes, findVerdict)
  print(text)
  for (const row of skipped) print(`skipped: ${row}`)
  return { changes, skipped, open }
}
