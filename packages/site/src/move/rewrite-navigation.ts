import { findSite } from '../frameworks/find-site.ts'
import { isReachable } from '../links/is-reachable.ts'
import { PAGE } from '../pages/paths.ts'
import type { MoveInput } from './move-input.ts'
import { type EntryResult, renameEntries } from './rename-entries.ts'
import { type AddedRedirect, writeRedirects } from './write-redirects.ts'

export interface NavigationResult extends EntryResult {
  readonly redirects: readonly AddedRedirect[]
}

/**
 * Renames the entries for moved pages in every site's navigation, and adds redirects to the files
 * where sites define them. Edits are recorded in the drafts.
 */
export async function rewriteNavigation(input: MoveInput): Promise<NavigationResult> {
  const { repository, moves } = input
  const result = await renameEntries(input)
  const left = [...result.left]
  for (const site of repository.sites) {
    if (
      site.navigation.mode === 'unknown' &&
      [...moves.keys()].some((page) => findSite(repository.sites, page) === site && PAGE.test(page))
    ) {
      const files = site.navigation.files.slice(0, 3).join(', ')
      left.push(`${files}: parts of this navigation are code or generated; check whether they refer to the page`)
    }
  }
  left.push(...findUnlisted(input))
  const redirects = await writeRedirects(input, left)
  return { ...result, redirects, left }
}

/** Returns the pages that leave a folder whose pages are added to the navigation automatically. */
function findUnlisted({ repository, after, moves }: MoveInput): string[] {
  const { index, sites } = repository
  return [...moves].flatMap(([page, newPage]) => {
    if (!PAGE.test(page)) return []
    const site = findSite(sites, page)
    const isListed = index.named[sites.indexOf(site)]?.has(page) === true
    if (isListed || isReachable(index, site, page) !== 'yes') return []
    const home = findSite(sites, newPage)
    return isReachable(after, home, newPage) === 'no'
      ? [`${newPage}: the page is no longer in the navigation, because its new folder is not added automatically`]
      : []
  })
}
