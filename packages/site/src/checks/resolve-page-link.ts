import { findContent, findSite } from '../frameworks/find-site.ts'
import { isCopied } from '../links/is-copied.ts'
import { isGenerated } from '../links/is-generated.ts'
import { resolveLink } from '../links/resolve-link.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import type { PageLink } from '../pages/page-content.ts'
import { IMAGE, joinPath, toFolder } from '../pages/paths.ts'
import { resolveInclude } from './resolve-include.ts'
import { resolveNotation } from './resolve-notation.ts'
import { toImportPaths } from './to-import-paths.ts'

/** Resolves a link, image, import or include of a page. */
export function resolvePageLink(index: SiteIndex, page: string, link: PageLink): LinkTarget {
  if (link.kind === 'include') return resolveInclude(index, page, link)
  if (link.kind === 'import') return resolveImport(index, page, link.href)
  const target = link.notation === undefined ? resolveLink(index, page, link.href) : resolveNotation(index, page, link)
  if (
    link.kind !== 'image' ||
    target.kind !== 'relative' ||
    target.verdict !== 'unknown' ||
    (link.notation !== undefined && target.doubt === 'elsewhere')
  )
    return target
  // In every framework, relative Markdown images are files next to the page, even if the site's
  // URLs are unknown.
  const plain = link.href.replace(/[?#].*$/s, '')
  const path = /^[\w\-./]+$/.test(plain) && IMAGE.test(plain) ? joinPath(toFolder(page), plain) : null
  const isOpen = path === null || isCopied(index, page) || index.files.has(path) || isGenerated(index, [path])
  return isOpen ? target : { ...target, verdict: 'no', doubt: null }
}

/** Resolves a file imported by MDX, relative to the page or to its site's root. */
function resolveImport(index: SiteIndex, page: string, href: string): LinkTarget {
  const site = findSite(index.sites, page)
  // Imports in other pages have no effect, or are relative to the page that includes them.
  const candidates = findContent(site, page) === null ? [] : toImportPaths(site, page, href)
  // An alias may stand for a folder whose files are generated.
  const isKnown = /^[./]|^@site\//.test(href) || candidates.some((path) => index.folders.has(toFolder(path)))
  const wanted = isKnown && !isGenerated(index, candidates) ? candidates : []
  const paths = wanted.filter((path) => index.files.has(path)).slice(0, 1)
  return {
    verdict: wanted.length === 0 ? 'unknown' : paths.length > 0 ? 'yes' : 'no',
    doubt: wanted.length === 0 ? 'link' : null,
    area: null,
    paths,
    anchor: null,
    redirect: null,
    kind: href.startsWith('/') ? 'absolute' : 'relative',
    isFolder: false,
  }
}
