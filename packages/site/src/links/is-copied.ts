import { findContent, findSite } from '../frameworks/find-site.ts'
import type { SiteIndex } from './site-index.ts'
import { isHostRendered } from './to-dialect.ts'

/**
 * Returns true for a page outside all sites of a repository that has sites. It may be a source from
 * which a script builds pages, so that its links are relative to another folder.
 */
export function isCopied({ sites }: SiteIndex, page: string): boolean {
  const site = findSite(sites, page)
  const isOutside = site.config === null || findContent(site, page) === null
  return isOutside && sites.length > 1 && !isHostRendered(page, site)
}
