import { findContent, findSite } from '../../frameworks/find-site.ts'
import { isReachable } from '../../links/is-reachable.ts'
import { resolvePageLink } from '../../links/resolve-page-link.ts'
import type { SiteIndex } from '../../links/site-index.ts'
import type { PageLink } from '../../pages/page-content.ts'
import { PAGE, toFolder } from '../../pages/paths.ts'
import type { CheckInput } from '../../reading/check.ts'
import type { Problem } from '../../reading/problem.ts'
import type { Base, Side } from '../../reading/read-base.ts'
import type { Now } from '../../reading/read-now.ts'

/**
 * Returns a function that finds the pages of one side that the navigation of their site does not
 * include. It covers all pages, or those that only one side has, unless another page may be listed
 * now. Pages that other pages include or list need no entry. Call it in `base.pages.read`.
 */
export function buildOrphanSearch({ base, now, pages }: CheckInput): (side: Side) => Problem[] {
  const isIncluded = buildInclusionTest(base, now)
  const isCollection = buildCollectionTest(base.index)
  const everyPage = pages === null || now.relisted
  const isOnBoth = (path: string) => base.isPage(path) && now.isPage(path)
  return (side) =>
    (everyPage ? side.paths : pages).flatMap((path): Problem[] => {
      if (!side.isPage(path) || (!everyPage && isOnBoth(path))) return []
      const site = findSite(side.sites, path)
      if (isReachable(side.index, site, path) !== 'no' || isIncluded(path) || isCollection(path)) return []
      const file = site.navigation.files[0] ?? site.config ?? 'the navigation file'
      const message = `The page is missing from the navigation. Add it to ${file}.`
      return [{ code: 'navigation_orphan', path, line: null, subject: '', message }]
    })
}

/**
 * Returns a function that returns true for a page that another page includes or imports. The first
 * call resolves the inclusions of all pages. It must run in `base.pages.read`.
 */
function buildInclusionTest(base: Base, now: Now): (page: string) => boolean {
  let included: ReadonlySet<string> | null = null
  return (page) => {
    included ??= findIncluded(base, now)
    return included.has(page)
  }
}

function findIncluded(base: Base, now: Now): ReadonlySet<string> {
  const included = new Set<string>()
  const add = (from: string, links: readonly PageLink[]) => {
    for (const link of links) {
      if (link.kind !== 'include' && !(link.kind === 'import' && PAGE.test(link.href))) continue
      for (const path of resolvePageLink(now.index, from, link).paths) included.add(path)
    }
  }
  for (const [from, content] of now.changed) if (content !== null) add(from, content.links)
  for (const [from, { shown, hidden }] of base.pages.scans) {
    if (now.changed.has(from)) continue
    add(from, shown)
    add(from, hidden)
  }
  return included
}

/** A folder with fewer pages may lack entries by mistake. */
const MIN_PAGES = 3

/**
 * Returns a function that returns true for a page in a folder of several pages, none of which the
 * navigation lists. A page or a template lists them.
 * @param index of the base commit, so that a change that removes or omits all entries of a folder
 * does not make it such a folder
 */
function buildCollectionTest(index: SiteIndex): (page: string) => boolean {
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
