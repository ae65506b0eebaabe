import { resolveLink } from '../links/resolve-link.ts'
import { type Reference, resolvePageLink } from '../links/resolve-page-link.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import type { HeadingRename } from './heading-rename.ts'

/** The page and the anchor that a link leads to. */
interface AnchorTarget {
  readonly path: string
  readonly anchor: string
}

/** Finds the target of a link with an anchor. Follows one redirect. Returns null for other links. */
export function findAnchorTarget(index: SiteIndex, page: string, link: Reference): AnchorTarget | null {
  const { anchor, paths, redirect } = resolvePageLink(index, page, link)
  if (anchor === null || anchor === '') return null
  if (redirect === null) return paths[0] === undefined ? null : { path: paths[0], anchor }
  const { destination } = redirect
  // The destination's own anchor replaces the anchor of the link.
  if (destination.includes('#') || /^[a-z][a-z0-9+.-]*:/i.test(destination)) return null
  const [path] = resolveLink(index, page, `/${destination.replace(/^\/+/, '')}`).paths
  return path === undefined ? null : { path, anchor }
}

/** Returns the position of the heading that an anchor leads to, or null if none is certain. */
export function findHeadingIndex(anchor: string, ids: readonly string[], tagIds: ReadonlySet<string>): number | null {
  if (tagIds.has(anchor)) return null
  const exact = ids.indexOf(anchor)
  if (exact !== -1) return exact
  const folded = foldAnchor(anchor)
  const found = folded === '' ? [] : ids.flatMap((id, i) => (foldAnchor(id) === folded ? [i] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}

/**
 * Returns a link's destination after the heading is renamed. Returns null if the link does not lead
 * to a heading whose id changes.
 */
export function renameAnchor(index: SiteIndex, page: string, link: Reference, rename: HeadingRename): string | null {
  const { href } = link
  const target = href.includes('#') ? findAnchorTarget(index, page, link) : null
  if (target?.path !== rename.page) return null
  const at = findHeadingIndex(target.anchor, rename.oldIds, rename.tagIds)
  const [oldId, id] = at === null ? [] : [rename.oldIds[at], rename.newIds[at]]
  if (id === undefined || id === oldId) return null
  const start = href.indexOf('#') + 1
  return `${href.slice(0, start)}${/%[\da-f]{2}/i.test(href.slice(start)) ? encodeURIComponent(id) : id}`
}
