import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isGenerated } from '../links/is-generated.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import { UNRESOLVED } from '../links/unresolved.ts'
import type { PageLink } from '../pages/page-content.ts'
import { dropExtension, dropNumber, isBelow, joinPath, PAGE, toFolder, toInner } from '../pages/paths.ts'

/** Resolves a link outside Markdown and tags, by the rules of the page's framework. */
export function resolveNotation(index: SiteIndex, page: string, { notation, href }: PageLink): LinkTarget {
  const site = findSite(index.sites, page)
  if (notation === undefined || !site.framework.notations?.includes(notation) || findContent(site, page) === null)
    return NOTHING
  const target = resolveLink(index, page, href)
  if (target.kind === 'external') return target
  if (notation === 'document') return resolveFiles(index, toDocuments(index, site, href))
  const path = href.replace(/[?#].*$/s, '')
  if (notation === 'directive') {
    const folders = path.startsWith('/') ? site.content.map(({ folder }) => folder) : [toFolder(page)]
    // A pattern stands for images in several formats.
    return path.includes('*') ? NOTHING : resolveFiles(index, joinAll(folders, path))
  }
  if (notation !== 'figure' || target.verdict === 'yes') return target
  const found = joinAll([site.root, `${site.root}/assets`, ...site.publicFolders], path).filter((file) =>
    index.files.has(file),
  )
  return found.length > 0 ? resolveFiles(index, found) : target
}

const NOTHING: LinkTarget = { ...UNRESOLVED, doubt: 'elsewhere' }

function resolveFiles(index: SiteIndex, candidates: readonly string[]): LinkTarget {
  const paths = candidates.filter((path) => index.files.has(path))
  if (paths.length === 0 && isGenerated(index, candidates)) return UNRESOLVED
  return { ...NOTHING, doubt: null, verdict: paths.length > 0 ? 'yes' : 'no', paths }
}

function joinAll(folders: readonly string[], path: string): string[] {
  return folders.flatMap((folder) => joinPath(folder.replace(/^\/+/, ''), path) ?? [])
}

/** Returns the pages that may have an id, in any version and language. */
function toDocuments(index: SiteIndex, site: Site, id: string): string[] {
  const named = index.ids[index.sites.indexOf(site)]?.get(id) ?? []
  const folders = site.content.flatMap(({ kind, folder }) => (kind === 'docs' ? [folder] : []))
  const direct = joinAll(folders, id).flatMap((path) => [`${path}.md`, `${path}.mdx`])
  if (named.length > 0 || direct.some((path) => index.files.has(path))) return [...named, ...direct]
  const toName = (inner: string) => dropExtension(inner).split('/').map(dropNumber).join('/')
  return [...index.files].filter(
    (path) =>
      PAGE.test(path) && folders.some((folder) => isBelow(path, folder) && toName(toInner(path, folder)) === id),
  )
}
