import { findSite } from '../frameworks/find-site.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'

/**
 * Returns a description of the first moved page that would have the URL of another page, or null.
 * Ignores pages that already have the same URL.
 */
export function findUrlConflict(
  before: SiteIndex,
  after: SiteIndex,
  moves: ReadonlyMap<string, string>,
): string | null {
  for (const [page, newPage] of moves) {
    const site = findSite(after.sites, newPage)
    const pages = after.pages[after.sites.indexOf(site)]
    const [url] = toUrls(site, newPage, after.facts.get(newPage) ?? null)
    const others = (url === undefined ? undefined : pages?.get(url)) ?? []
    // Files other than pages do not have the URL of a page.
    if (!others.includes(newPage)) continue
    const [old = ''] = toUrls(findSite(before.sites, page), page, before.facts.get(page) ?? null)
    const known = before.pages[before.sites.indexOf(findSite(before.sites, page))]?.get(old) ?? []
    const other = others.find((path) => path !== newPage && !known.some((one) => (moves.get(one) ?? one) === path))
    if (other !== undefined) return `${newPage} would have the same URL as ${other} (${url})`
  }
  return null
}
