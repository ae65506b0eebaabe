import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import { toAddress } from '../pages/paths.ts'
import type { SiteIndex } from './site-index.ts'

/** Maximum number of patterns checked per URL. */
const MAX_PATTERNS = 500

/** Returns the redirect with exactly this source, or null. */
export function findPlainRedirect(index: SiteIndex, site: Site, url: string): SiteRedirect | null {
  return index.redirects[index.sites.indexOf(site)]?.plain.get(toAddress(url)) ?? null
}

/**
 * Returns true if a redirect with wildcards or parameters may match a URL. Compares only the text
 * before the first wildcard or parameter.
 */
export function isPatternRedirected(index: SiteIndex, site: Site, url: string): boolean {
  const patterns = index.redirects[index.sites.indexOf(site)]?.patterns ?? []
  if (patterns.length > MAX_PATTERNS) return true
  return patterns.some(({ source }) => {
    const start = /^[^*:(){}[\]$]*/.exec(source)?.[0] ?? ''
    return url.startsWith(start) || `${url}/`.startsWith(start)
  })
}
