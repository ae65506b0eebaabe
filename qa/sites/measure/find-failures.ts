import type { SiteRecord } from '../corpus/read-sites.ts'
import type { SiteReport } from './measure-site.ts'

/** Returns the reasons why a site's report fails the campaign. */
export function findFailures(
  { recall, moves, deletions, headings }: SiteReport,
  floors: SiteRecord['floors'],
): string[] {
  const failures: string[] = []
  for (const group of ['core', 'more'] as const) {
    const rows = recall.filter((row) => row.group === group)
    const tried = rows.reduce((sum, row) => sum + row.tried, 0)
    const caught = rows.reduce((sum, row) => sum + row.caught, 0)
    const percent = tried === 0 ? 100 : (100 * caught) / tried
    if (percent < floors[group]) failures.push(`recall (${group}) is ${percent.toFixed(1)} %, below ${floors[group]} %`)
  }
  const faults = [...moves, ...deletions, ...headings].flatMap((edit) => edit.faults)
  for (const kind of ['damage', 'stale', 'unlisted'] as const) {
    const count = faults.filter((fault) => fault.kind === kind).length
    if (count > 0) failures.push(`${kind}: ${count}`)
  }
  return failures
}
