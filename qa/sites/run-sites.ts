import type { CheckRunner } from '@corrigenda/site/internal/thread/task'
import { DownloadError } from './corpus/download-release.ts'
import { openSite } from './corpus/open-site.ts'
import { SITES_CACHE, type SiteRecord } from './corpus/read-sites.ts'
import { formatSite } from './format-site.ts'
import { findFailures } from './measure/find-failures.ts'
import { measureSite, type SiteReport } from './measure/measure-site.ts'

interface SitesInput {
  readonly records: readonly SiteRecord[]
  readonly perKind: number
  readonly edits: number
  readonly seed: number
  /** Names of the measurements; empty for all. */
  readonly parts: readonly string[]
  /** Parses pages; a thread per site by default. */
  readonly runner?: CheckRunner
  print(line: string): void
}

interface SitesReport {
  readonly sites: readonly SiteReport[]
  /** Reasons by site. */
  readonly failures: Readonly<Record<string, readonly string[]>>
  readonly skipped: Readonly<Record<string, string>>
}

/**
 * Measures sites of the corpus one after another. A site that cannot be downloaded is skipped. A site
 * fails if an archive has another hash than the corpus states.
 */
export async function runSites(input: SitesInput): Promise<SitesReport> {
  const sites: SiteReport[] = []
  const failures: Record<string, readonly string[]> = {}
  const skipped: Record<string, string> = {}
  for (const record of input.records) {
    const opened = await openSite(record, SITES_CACHE).catch((error: unknown) => {
      if (error instanceof DownloadError) skipped[record.id] = error.message
      else failures[record.id] = [String(error)]
      return null
    })
    if (opened === null) {
      const reason = skipped[record.id]
      input.print(`== ${record.id}: ${reason === undefined ? 'failed' : `skipped: ${reason}`}`)
      continue
    }
    const report = await measureSite({ ...input, ...opened, id: record.id, layout: record.layout })
    sites.push(report)
    input.print(formatSite(report))
    const found = findFailures(report, record.floors)
    if (found.length > 0) failures[record.id] = found
  }
  const measured = `${sites.length} sites measured, ${Object.keys(skipped).length} skipped`
  input.print(`\n${measured}, ${Object.keys(failures).length} failed`)
  for (const [id, reasons] of Object.entries(failures)) input.print(`  ${id}: ${reasons.join('; ')}`)
  return { sites, failures, skipped }
}
