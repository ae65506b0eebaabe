import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { Problem } from './problem.ts'

interface EntryReading {
  readonly problems: readonly Problem[]
  /** Number of entries that could be checked. */
  readonly entries: number
}

/**
 * Returns the navigation entries of a site that have no page. `isResolved` returns true for entries
 * that had a page in the base commit.
 */
export function findDeadEntries(
  index: SiteIndex,
  site: Site,
  isResolved: (entry: NavigationEntry) => boolean = () => false,
): EntryReading {
  const problems: Problem[] = []
  let entries = 0
  for (const entry of site.navigation.entries) {
    const { verdict } = findEntryPages(index, site, entry)
    const isDead = verdict === 'no' || (verdict === 'unknown' && isResolved(entry))
    if (verdict === 'unknown' && !isDead) continue
    entries += 1
    if (!isDead) continue
    const { file, line, page, trail } = entry
    problems.push({
      code: 'navigation_missing_page',
      path: file,
      line,
      subject: `${trail.join(' > ')} > ${page}`,
      otherSubject: page,
      message: `The navigation contains the page ${JSON.stringify(page)}, which does not exist.`,
    })
  }
  return { problems, entries }
}
