import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { toAddress } from '../pages/paths.ts'
import { isGenerated } from './is-generated.ts'
import { isOpenUrl } from './is-open-url.ts'
import { toFiles } from './resolve-url.ts'
import type { SiteIndex, Verdict } from './site-index.ts'

/**
 * Finds the pages that an entry refers to, best match first. The verdict is `no` if no page
 * matches, and `unknown` if the files do not determine whether a page has this name.
 */
export function findEntryPages(
  index: SiteIndex,
  site: Site,
  entry: NavigationEntry,
): { verdict: Verdict; paths: readonly string[] } {
  const paths = entry.candidates.filter((path) => index.files.has(path) && !hasOtherId(index, site, entry, path))
  if (paths.length > 0) return { verdict: 'yes', paths }
  const possible = site.framework.entryNames === 'address' ? toFiles(site, entry.page) : entry.candidates
  if (isGenerated(index, possible)) return { verdict: 'unknown', paths: [] }
  if (entry.exact) return { verdict: 'no', paths: [] }
  const { entryNames } = site.framework
  if (entryNames === undefined) return { verdict: 'unknown', paths: [] }
  const at = index.sites.indexOf(site)
  const named = entryNames === 'id' ? findByIds(index, site, entry) : index.pages[at]?.get(toAddress(entry.page))
  if (named !== undefined && named.length > 0) return { verdict: 'yes', paths: named }
  const isUrlOpen = site.addresses === 'unknown' || isOpenUrl(site, entry.page)
  const isOpen = index.unread[at] === true || (entryNames === 'address' && isUrlOpen)
  return { verdict: isOpen ? 'unknown' : 'no', paths: [] }
}

/** Returns true if a page defines another id than the entry names. */
function hasOtherId(index: SiteIndex, site: Site, { page }: NavigationEntry, path: string): boolean {
  const id = index.facts.get(path)?.id ?? null
  const content = site.framework.entryNames === 'id' && id !== null ? findContent(site, path) : null
  const own = content?.kind === 'docs' && id !== null ? site.framework.toId?.(path, content, id) : undefined
  return own !== undefined && page !== own && !page.endsWith(`/${own}`)
}

/** Returns the pages with an entry's id. Versions in different folders may have the same ids. */
function findByIds(index: SiteIndex, site: Site, { page, candidates }: NavigationEntry): readonly string[] {
  const named = index.ids[index.sites.indexOf(site)]?.get(page) ?? []
  const [first] = candidates
  const content = first === undefined ? null : findContent(site, first)
  return content === null ? named : named.filter((path) => findContent(site, path) === content)
}
