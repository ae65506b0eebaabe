import { isBelow } from '../pages/paths.ts'
import type { Site } from './framework.ts'
import { isIgnored } from './is-ignored.ts'
import type { ContentFolder } from './site.ts'

/**
 * Returns the innermost content folder of this site that contains a path. Returns null if there is
 * none or the site excludes the file.
 */
export function findContent(site: Site, path: string): ContentFolder | null {
  let best: ContentFolder | null = null
  for (const content of site.content) {
    if (isBelow(path, content.folder) && (best === null || content.folder.length >= best.folder.length)) best = content
  }
  return best === null || isIgnored(site, path) ? null : best
}

/**
 * Returns the site whose content folders or, failing that, whose root contains a path. Returns the
 * last site if no site contains it, or if the site that does excludes it.
 */
export function findSite(sites: readonly Site[], path: string): Site {
  let best: Site | undefined
  let length = -1
  for (const site of sites) {
    if (site.config === null) continue
    const content = findContent(site, path)
    // A content folder takes precedence over the root of a surrounding site.
    const score =
      content !== null ? content.folder.length * 2 + 1 : isBelow(path, site.root) ? site.root.length * 2 : -1
    if (score > length && !isIgnored(site, path)) {
      best = site
      length = score
    }
  }
  const found = best ?? sites.at(-1)
  if (found === undefined) throw new Error('the list of sites is empty')
  return found
}
