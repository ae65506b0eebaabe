import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import { toAddress } from '../pages/paths.ts'
import { matchPattern } from './match-pattern.ts'
import type { SiteIndex } from './site-index.ts'

interface PatternRedirect {
  readonly redirect: SiteRedirect
  /** The URL that it leads to; null if the pattern does not determine it. */
  readonly destination: string | null
}

/** Maximum number of patterns checked per URL. */
const MAX_PATTERNS = 500
/** Matches destinations that show an error page. A redirect to one leads to no page. */
const ERROR_PAGE = /\/404(?:\.html)?\/?$/

/** Returns the redirect with exactly this source, or null. */
export function findPlainRedirect(index: SiteIndex, site: Site, url: string): SiteRedirect | null {
  return index.redirects[index.sites.indexOf(site)]?.plain.get(toAddress(url)) ?? null
}

/**
 * Returns the first redirect with wildcards or parameters that matches a URL, or null. Ignores
 * redirects to an error page.
 */
export function findPatternRedirect(index: SiteIndex, site: Site, url: string): PatternRedirect | null {
  const patterns = index.redirects[index.sites.indexOf(site)]?.patterns ?? []
  for (const redirect of patterns.slice(0, MAX_PATTERNS)) {
    const { source, destination } = redirect
    const start = /^[^*:(){}[\]$]*/.exec(source)?.[0] ?? ''
    if (ERROR_PAGE.test(destination) || !`${url}/`.startsWith(start)) continue
    const match = matchPattern(source, destination, url)
    if (match !== null) return { redirect, destination: match.destination }
  }
  const [next] = patterns.slice(MAX_PATTERNS)
  return next === undefined ? null : { redirect: next, destination: null }
}
