import { findSite } from '../frameworks/find-site.ts'
import type { PageContent } from '../pages/page-content.ts'
import { PAGE } from '../pages/paths.ts'
import type { LinkSide } from './link-side.ts'
import { resolveInclude, toImportPaths } from './resolve-page-link.ts'

/** Maximum number of files that are followed for one page. */
const MAX_FILES = 100
const NO_IDS = /\.(?:json|css|scss|sass|less|svg|png|jpe?g|webp|avif|gif)$/i

/**
 * Returns true if the components, templates and Markdown files that a page imports or includes may
 * define an anchor. Follows their imports and includes within the repository.
 * @param name the folded anchor
 */
export function mayAddAnchor(side: LinkSide, page: string, content: PageContent, name: string): boolean {
  const seen = new Set<string>()
  const open = findSources(side, page, content)
  if (open === null) return true
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || NO_IDS.test(path)) continue
    seen.add(path)
    const found = seen.size > MAX_FILES ? undefined : (side.contentOf(path) ?? side.componentOf(path))
    if (found === undefined || found.moreAnchors || hasAnchor(side, found, name)) return true
    const sources = findSources(side, path, found)
    if (sources === null) return true
    open.push(...sources)
  }
  return false
}

/** The ids of templates may end in `*`. */
function hasAnchor(side: LinkSide, content: PageContent, name: string): boolean {
  const isMatch = (anchor: string) => anchor.endsWith('*') && name.startsWith(anchor.slice(0, -1))
  return side.anchorsOf(content).has(name) || content.anchors.some(isMatch)
}

/** Returns the files that may add ids to a file, or null if one of them is not known. */
function findSources({ index }: LinkSide, from: string, content: PageContent): string[] | null {
  const isPage = PAGE.test(from)
  const hrefs = isPage ? content.idSources : content.links.map((link) => link.href)
  const paths: string[] = []
  for (const href of hrefs) {
    const candidates = toImportPaths(findSite(index.sites, from), from, href.replace(/\?.*$/s, ''))
    const path = candidates.find((file) => index.files.has(file))
    if (path !== undefined) paths.push(path)
    // Components may import packages, which add no ids.
    else if (isPage || candidates.length > 0) return null
  }
  for (const include of content.idIncludes) {
    const target = resolveInclude(index, from, include)
    if (target.verdict !== 'yes') return null
    paths.push(...target.paths)
  }
  return paths
}
