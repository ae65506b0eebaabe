import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { isReachable } from '../links/is-reachable.ts'
import type { SiteIndex } from '../links/site-index.ts'
import type { Problem } from '../pages/problem.ts'

/**
 * Prefix of the message for an unreadable navigation file, which prevents the whole site from
 * building.
 */
const NAVIGATION_INVALID = 'The navigation file is not valid'

const CODES = {
  invalid: 'navigation_invalid',
  missing: 'navigation_missing_file',
  limit: 'navigation_unread',
} as const

interface NavigationReading {
  readonly problems: readonly Problem[]
  /** Number of entries that could be checked. */
  readonly entries: number
}

/**
 * Returns a site's configuration and navigation problems: unreadable files, and entries without a
 * page. `isResolved` returns true for entries that had a page in the base commit.
 */
export function findNavigationProblems(
  index: SiteIndex,
  site: Site,
  isResolved: (entry: NavigationEntry) => boolean = () => false,
): NavigationReading {
  const problems: Problem[] = site.faults.map((fault) => ({
    check: 'navigation',
    code: CODES[fault.code],
    path: fault.path,
    line: fault.line,
    subject: fault.code === 'invalid' ? '' : fault.detail,
    message:
      fault.code === 'limit'
        ? `The navigation file cannot be checked: ${fault.detail}`
        : `${NAVIGATION_INVALID}${toFormat(fault.path)}: ${fault.detail}`,
    ...(fault.code === 'limit' ? { advisory: true } : {}),
  }))
  let entries = 0
  for (const entry of site.navigation.entries) {
    const { verdict } = findEntryPages(index, site, entry)
    const isDead = verdict === 'no' || (verdict === 'unknown' && isResolved(entry))
    if (verdict === 'unknown' && !isDead) continue
    entries += 1
    if (isDead) problems.push(toDeadEntry(entry))
  }
  return { problems, entries }
}

function toFormat(path: string): string {
  return path.endsWith('.json') ? ' JSON' : /\.ya?ml$/.test(path) ? ' YAML' : ''
}

function toDeadEntry({ file, line, page, trail }: NavigationEntry): Problem {
  return {
    check: 'navigation',
    code: 'navigation_missing_page',
    path: file,
    line,
    subject: `${trail.join(' > ')} > ${page}`,
    otherSubject: page,
    message: `The navigation contains the page ${JSON.stringify(page)}, which does not exist.`,
  }
}

/**
 * Returns a problem for each given page that its site's navigation does not include.
 * @param isExempt returns true for a page that needs no entry
 */
export function findOrphans(index: SiteIndex, pages: Iterable<string>, isExempt: (page: string) => boolean): Problem[] {
  const problems: Problem[] = []
  for (const page of pages) {
    const site = findSite(index.sites, page)
    if (isReachable(index, site, page) !== 'no' || isExempt(page)) continue
    const file = site.navigation.files[0] ?? site.config ?? 'the navigation file'
    const message = `The page is missing from the navigation. Add it to ${file}.`
    problems.push({
      check: 'navigation',
      code: 'navigation_orphan',
      path: page,
      line: null,
      subject: '',
      message,
      advisory: true,
    })
  }
  return problems
}
