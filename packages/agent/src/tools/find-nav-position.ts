import type { Workspace } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import { findContent, findSite } from '@corrigenda/site/frameworks'
import { buildSiteIndex, findEntryPages, isReachable } from '@corrigenda/site/links'
import { PAGE, readPageFacts } from '@corrigenda/site/pages'
import { openSites } from '@corrigenda/site/sites'

interface NavPosition {
  /** The navigation file that was read. */
  readonly file: string
  /** Names of the groups that contain the page, or null if the file does not list the page. */
  readonly trail: readonly string[] | null
}

/**
 * Finds a page's position in its site's navigation. Returns null if the site has no navigation or
 * includes the page without listing it, or if the position cannot be determined.
 */
export async function findNavPosition(workspace: Workspace, page: string): Promise<NavPosition | null> {
  if (!PAGE.test(page)) return null
  const { sites, paths } = await openSites(workspace)
  const site = findSite(sites, page)
  const [file] = site.navigation.files
  if (file === undefined || findContent(site, page) === null) return null
  const decoded = paths.includes(page) ? decodeText(await workspace.read(page)) : 'binary'
  const facts = typeof decoded === 'string' ? new Map() : new Map([[page, readPageFacts(decoded.text)]])
  const index = buildSiteIndex(sites, paths, facts)
  const entry = site.navigation.entries.find((one) => findEntryPages(index, site, one).paths[0] === page)
  if (entry !== undefined) return { file: entry.file, trail: entry.trail }
  return isReachable(index, site, page) === 'no' ? { file, trail: null } : null
}
