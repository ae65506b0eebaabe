import { findContent, findSite } from '../frameworks/find-site.ts'
import { isReachable } from '../links/is-reachable.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { PAGE, toFolder } from '../pages/paths.ts'

/** A folder with fewer pages may lack entries by mistake. */
const MIN_PAGES = 3

/**
 * Returns a function that returns true for a page in a folder of several pages, none of which the
 * navigation lists. A page or a template lists them.
 * @param index of the base commit, so that a change that removes or omits all entries of a folder
 * does not make it such a folder
 */
export function buildCollectionTest(index: SiteIndex): (page: string) => boolean {
  let folders: Map<string, string[]> | null = null
  const known = new Map<string, boolean>()
  return (page) => {
    const folder = toFolder(page)
    const site = findSite(index.sites, page)
    if (findContent(site, page)?.folder === folder) return false
    folders ??= listFolders(index)
    const pages = folders.get(folder) ?? []
    const isOwn = known.get(folder) ?? pages.every((path) => isReachable(index, site, path) !== 'yes')
    known.set(folder, isOwn)
    return isOwn && pages.length >= MIN_PAGES
  }
}

function listFolders({ files }: SiteIndex): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const path of files) {
    if (!PAGE.test(path)) continue
    const pages = folders.get(toFolder(path))
    if (pages === undefined) folders.set(toFolder(path), [path])
    else pages.push(path)
  }
  return folders
}
