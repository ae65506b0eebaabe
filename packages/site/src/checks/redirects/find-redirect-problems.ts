import type { Site } from '../../frameworks/framework.ts'
import type { SiteRedirect } from '../../frameworks/site.ts'
import { resolveUrl } from '../../links/resolve-url.ts'
import type { SiteIndex } from '../../links/site-index.ts'
import { toAddress as toSiteAddress } from '../../pages/paths.ts'
import type { Problem } from '../../reading/problem.ts'

const MAX_HOPS = 20

/**
 * Finds redirects that have no target, form a loop, or shadow a page's URL. Does not check patterns
 * or other hosts.
 */
export function findRedirectProblems(index: SiteIndex, site: Site): Problem[] {
  const problems: Problem[] = []
  const bySource = new Map<string, SiteRedirect>()
  for (const redirect of site.redirects.list) {
    if (!redirect.pattern && !redirect.isConditional && !bySource.has(toAddress(redirect.source)))
      bySource.set(toAddress(redirect.source), redirect)
  }
  const siteNumber = index.sites.indexOf(site)
  const pages = index.pages[siteNumber]
  for (const redirect of site.redirects.list) {
    if (redirect.pattern) continue
    const { source, destination, isConditional } = redirect
    const page = isConditional || !source.startsWith('/') ? undefined : pages?.get(toAddress(source))?.[0]
    if (bySource.get(toAddress(source)) === redirect && runsInCircle(bySource, redirect)) {
      problems.push(toProblem(redirect, 'redirect_loop', `The redirect from "${source}" forms a loop.`))
      continue
    }
    if (page !== undefined && toAddress(source) !== toAddress(destination)) {
      const message = `The redirect from "${source}" and ${page} have the same URL.`
      problems.push(toProblem(redirect, 'redirect_shadows', message))
    }
    if (isDead(index, site, destination)) {
      problems.push(
        toProblem(
          redirect,
          'redirect_dead',
          `The redirect from "${source}" points to "${destination}", which does not exist.`,
        ),
      )
    }
  }
  return problems
}

/** Follows the redirects that start at a destination. */
function isDead(index: SiteIndex, site: Site, destination: string): boolean {
  let at = destination
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    if (!/^\/(?!\/)/.test(at)) return false
    const { verdict, redirect } = resolveUrl(index, site, at.replace(/[?#].*$/s, ''))
    if (verdict === 'no') return true
    if (redirect === null || redirect.pattern) return false
    at = redirect.destination
  }
  return false
}

function runsInCircle(bySource: ReadonlyMap<string, SiteRedirect>, start: SiteRedirect): boolean {
  const first = toAddress(start.source)
  let at = toAddress(start.destination)
  // URLs that differ only in a slash or an anchor do not form a loop, because servers compare exact
  // URLs.
  if (at === first) return start.source === start.destination
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    if (at === first) return true
    const next = bySource.get(at)
    if (next === undefined) return false
    at = toAddress(next.destination)
  }
  return false
}

function toProblem({ file, line, source, destination }: SiteRedirect, code: string, message: string): Problem {
  return {
    code,
    path: file,
    line,
    subject: `${source} > ${destination}`,
    otherSubject: source,
    message,
  }
}

function toAddress(url: string): string {
  return toSiteAddress(url.replace(/[?#].*$/s, ''))
}
