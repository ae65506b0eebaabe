import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import { toAddress } from '../pages/paths.ts'
import type { SiteIndex } from './site-index.ts'

/** Patterns that are looked at per address. */
const MAX_PATTERNS = 500

/** The redirect that answers an address word for word; null when none does. */
export function findPlainRedirect(index: SiteIndex, site: Site, url: string): SiteRedirect | null {
  return index.redirects[index.sites.indexOf(site)]?.plain.get(toAddress(url)) ?? null
}

/** Could a redirect with wildcards or parameters answer an address? By what stands before the first of them. */
export function isPatternRedirected(index: SiteIndex, site: Site, url: string): boolean {
  const patterns = index.redirects[index.sites.indexOf(site)]?.patterns ?? []
  if (patterns.length > MAX_PATTERNS) return true
  return patterns.some(({ source }) => {
    const start = /^[^*:(){}[\]$]*/.exec(source)?.[0] ?? ''
    return url.startsWith(start) || `${url}/`.startsWith(start)
  })
}
