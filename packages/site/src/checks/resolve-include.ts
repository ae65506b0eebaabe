import { findContent, findSite } from '../frameworks/find-site.ts'
import { isGenerated } from '../links/is-generated.ts'
import type { LinkTarget, SiteIndex } from '../links/site-index.ts'
import { UNRESOLVED } from '../links/unresolved.ts'
import type { PageLink } from '../pages/page-content.ts'

/** Resolves a file that a page includes, by the rules of the page's framework. */
export function resolveInclude(index: SiteIndex, page: string, { href, form }: PageLink): LinkTarget {
  const site = findSite(index.sites, page)
  // Other pages are not built, so notations have no effect in them.
  const isBuilt = form !== undefined && findContent(site, page) !== null
  const wanted = !isBuilt ? null : (site.framework.includes?.[form]?.(site, page, href) ?? null)
  const paths = (wanted ?? []).flatMap((path) => findFiles(index, path))
  const isOpen = wanted === null || wanted.length === 0 || (paths.length === 0 && isGenerated(index, wanted))
  const verdict = isOpen ? 'unknown' : paths.length > 0 ? 'yes' : 'no'
  const doubt = verdict === 'unknown' ? 'elsewhere' : null
  return { ...UNRESOLVED, verdict, doubt, paths }
}

/** Files that match a pattern, keyed by pattern, for each index. */
const MATCHES = new WeakMap<SiteIndex, Map<string, string[]>>()

function findFiles(index: SiteIndex, path: string): string[] {
  if (!path.startsWith('**/')) return index.files.has(path) ? [path] : []
  const known = MATCHES.get(index) ?? new Map<string, string[]>()
  MATCHES.set(index, known)
  const found = known.get(path) ?? matchFiles(index, path.slice(3))
  known.set(path, found)
  return found
}

function matchFiles({ files }: SiteIndex, name: string): string[] {
  const found: string[] = []
  for (const file of files) if (file === name || file.endsWith(`/${name}`)) found.push(file)
  return found
}
