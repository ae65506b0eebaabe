import { isBelow } from '../pages/paths.ts'
import type { Site } from './framework.ts'
import type { ContentFolder } from './site.ts'

/** The folder of pages a path lies in, the innermost one; null when it is in none of this site. */
export function findContent(site: Site, path: string): ContentFolder | null {
  let best: ContentFolder | null = null
  for (const content of site.content) {
    if (isBelow(path, content.folder) && (best === null || content.folder.length >= best.folder.length)) best = content
  }
  return best
}

/** The site a path belongs to: by its folders of pages, else by its root; the last of the sites when it belongs to none. */
export function findSite(sites: readonly Site[], path: string): Site {
  let best: Site | undefined
  let length = -1
  for (const site of sites) {
    if (site.config === null) continue
    const content = findContent(site, path)
    // A folder of pages says more than the root of a site around it.
    const score =
      content !== null ? content.folder.length * 2 + 1 : isBelow(path, site.root) ? site.root.length * 2 : -1
    if (score > length) {
      best = site
      length = score
    }
  }
  const found = best ?? sites.at(-1)
  if (found === undefined) throw new Error('a repository has at least the plain site')
  return found
}
