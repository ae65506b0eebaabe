import { findSite } from '../frameworks/find-site.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import type { PageLink } from '../pages/page-content.ts'
import { IMAGE, joinPath, toFolder } from '../pages/paths.ts'

/** Resolves a link, image or import of a page. */
export function resolvePageLink(index: SiteIndex, page: string, link: PageLink): LinkTarget {
  if (link.kind === 'import') return resolveImport(index, page, link.href)
  const target = resolveLink(index, page, link.href)
  if (link.kind !== 'image' || target.kind !== 'relative' || target.verdict !== 'unknown') return target
  // In every framework, relative Markdown images are files next to the page, even if the site's
  // URLs are unknown.
  const plain = link.href.replace(/[?#].*$/s, '')
  const path = /^[\w\-./]+$/.test(plain) && IMAGE.test(plain) ? joinPath(toFolder(page), plain) : null
  return path === null || index.files.has(path) ? target : { ...target, verdict: 'no', doubt: null }
}

/** Resolves a file imported by MDX, relative to the page or to its site's root. */
function resolveImport(index: SiteIndex, page: string, href: string): LinkTarget {
  const base = href.startsWith('/') ? findSite(index.sites, page).root : toFolder(page)
  const path = joinPath(base, href)
  const found = path !== null && index.files.has(path)
  return {
    verdict: path === null ? 'unknown' : found ? 'yes' : 'no',
    doubt: path === null ? 'link' : null,
    area: null,
    paths: found ? [path] : [],
    anchor: null,
    redirect: null,
    kind: href.startsWith('/') ? 'absolute' : 'relative',
    isFolder: false,
  }
}
