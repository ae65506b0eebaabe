import { findSite } from '../frameworks/find-site.ts'
import type { PageContent } from '../pages/page-content.ts'
import { PAGE } from '../pages/paths.ts'
import type { LinkSide } from './link-side.ts'
import { toImportPaths } from './to-import-paths.ts'

/** Maximum number of files that are followed for one page. */
const MAX_FILES = 100
const NO_IDS = /\.(?:json|css|scss|sass|less|svg|png|jpe?g|webp|avif|gif)$/i

/**
 * Returns true if the components and Markdown files that a page imports may define an anchor.
 * Follows their imports within the repository.
 * @param name the folded anchor
 */
export function mayAddAnchor(side: LinkSide, page: string, content: PageContent, name: string): boolean {
  const { index } = side
  const seen = new Set<string>()
  const open = content.idSources.map((href) => ({ from: page, href, isRequired: true }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, href, isRequired } = next
    const candidates = toImportPaths(findSite(index.sites, from), from, href.replace(/\?.*$/, ''))
    const path = candidates.find((file) => index.files.has(file))
    if (path === undefined && (isRequired || candidates.length > 0)) return true
    if (path === undefined || seen.has(path) || NO_IDS.test(path)) continue
    seen.add(path)
    const isPage = PAGE.test(path)
    const found = seen.size > MAX_FILES ? undefined : isPage ? side.contentOf(path) : side.componentOf(path)
    if (found === undefined || found.moreAnchors) return true
    if (side.anchorsOf(found).has(name)) return true
    const sources = isPage ? found.idSources : found.links.map((link) => link.href)
    for (const source of sources) open.push({ from: path, href: source, isRequired: isPage })
  }
  return false
}
