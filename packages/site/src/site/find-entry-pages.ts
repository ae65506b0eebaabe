import type { NavigationEntry, Site, SiteIndex, Verdict } from './site.ts'
import { toAddress } from './to-urls.ts'

/** Which page an entry means, the best one first. `no`: there is none. `unknown`: a page that was not read may name itself so. */
export function findEntryPages(
  index: SiteIndex,
  site: Site,
  entry: NavigationEntry,
): { verdict: Verdict; paths: readonly string[] } {
  const paths = entry.candidates.filter((path) => index.files.has(path))
  if (paths.length > 0) return { verdict: 'yes', paths }
  if (entry.exact) return { verdict: 'no', paths: [] }
  if (site.framework !== 'docusaurus' && site.framework !== 'starlight') return { verdict: 'unknown', paths: [] }
  const at = index.sites.indexOf(site)
  const byName =
    (site.framework === 'docusaurus' ? index.ids[at]?.get(entry.page) : index.pages[at]?.get(toAddress(entry.page))) ??
    []
  if (byName.length > 0) return { verdict: 'yes', paths: byName }
  const open = index.unread[at] === true || (site.framework === 'starlight' && site.addresses === 'unknown')
  return { verdict: open ? 'unknown' : 'no', paths: [] }
}
