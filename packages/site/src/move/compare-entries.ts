import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import type { Comparison } from './comparison.ts'
import { toEntryKey, toSiteEntryKey } from './rename-entries.ts'

/** Pairs the entries that remain with those after the change, in the order of the navigation. */
export function pairEntries(
  { change }: Comparison,
  site: Site,
  now: Site,
): readonly (readonly [NavigationEntry, NavigationEntry | undefined])[] {
  const kept = site.navigation.entries.filter((entry) => change.entries.get(toEntryKey(entry)) !== null)
  return kept.map((entry, i) => [entry, now.navigation.entries[i]] as const)
}

/**
 * Compares the names, groups and pages of a site's navigation entries. Returns the first unintended
 * difference, or null.
 */
export function compareEntries(comparison: Comparison, site: Site, now: Site): string | null {
  const { before, after, change, toPath } = comparison
  const pairs = pairEntries(comparison, site, now)
  const { length } = now.navigation.entries
  if (length !== pairs.length) return `${length} instead of ${pairs.length} navigation entries remain`
  for (const [entry, other] of pairs) {
    const text = change.entries.get(toEntryKey(entry)) ?? entry.page
    if (other === undefined || other.page !== text || other.file !== toPath(entry.file)) {
      return `${entry.file}:${entry.line}: entry ${JSON.stringify(text)} becomes ${JSON.stringify(other?.page ?? null)}`
    }
    if (JSON.stringify(other.trail) !== JSON.stringify(entry.trail))
      return `${entry.file}:${entry.line}: entry ${JSON.stringify(text)} would be in another group`
    const [page] = findEntryPages(before, site, entry).paths
    const target = page === undefined ? null : toPath(page)
    const [reached] = findEntryPages(after, now, other).paths
    if (target === null || reached === target || change.lostEntries.has(toSiteEntryKey(site, entry))) continue
    return `${other.file}: entry ${JSON.stringify(text)} refers to ${reached ?? 'no page'}, not ${target}`
  }
  return null
}
