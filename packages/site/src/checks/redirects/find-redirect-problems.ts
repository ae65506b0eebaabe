import type { Site } from '../../frameworks/framework.ts'
import type { SiteRedirect } from '../../frameworks/site.ts'
import { isGenerated } from '../../links/is-generated.ts'
import { isOpaque } from '../../links/is-opaque.ts'
import { isReachable } from '../../links/is-reachable.ts'
import { resolveUrl } from '../../links/resolve-url.ts'
import type { LinkTarget, SiteIndex } from '../../links/site-index.ts'
import { toUrls } from '../../links/to-urls.ts'
import { UNRESOLVED } from '../../links/unresolved.ts'
import { joinPath, toFolder, toAddress as toSiteAddress } from '../../pages/paths.ts'
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
    const shadowed = isConditional || !source.startsWith('/') ? undefined : pages?.get(toAddress(source))?.[0]
    const isHidden =
      shadowed !== undefined && site.framework.publishesListed && isReachable(index, site, shadowed) === 'no'
    const page = isHidden ? undefined : shadowed
    const isOwn = site.framework.redirectNames === 'path' && leadsToItself(site, redirect)
    if (isOwn || (bySource.get(toAddress(source)) === redirect && runsInCircle(bySource, redirect))) {
      problems.push(toProblem(redirect, 'redirect_loop', `The redirect from "${source}" forms a loop.`))
      continue
    }
    if (page !== undefined && toAddress(source) !== toAddress(destination)) {
      const message = `The redirect from "${source}" and ${page} have the same URL.`
      problems.push(toProblem(redirect, 'redirect_shadows', message))
    }
    if (isDead(index, site, redirect)) {
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
function isDead(index: SiteIndex, site: Site, start: SiteRedirect): boolean {
  let at = start
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const { verdict, redirect } = resolveDestination(index, site, at)
    if (verdict === 'no') return true
    if (redirect === null || redirect.pattern) return false
    at = redirect
  }
  return false
}

/** Resolves a destination by what redirects of the framework contain. */
function resolveDestination(index: SiteIndex, site: Site, { source, destination }: SiteRedirect): LinkTarget {
  const path = destination.replace(/[?#].*$/s, '')
  const { redirectNames } = site.framework
  const isAbsolute = path.startsWith('/')
  if (path === '' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(path)) return UNRESOLVED
  if (redirectNames === 'relative') {
    const url = joinPath(isAbsolute ? '' : toFolder(source.replace(/^\/+/, '')), path)
    const target = resolveUrl(index, site, `/${url ?? ''}`)
    // The book has no other pages.
    return target.verdict === 'unknown' && url !== null && !isOpaque(site, `/${url}`)
      ? { ...target, verdict: 'no' }
      : target
  }
  if (isAbsolute) return resolveUrl(index, site, path)
  const file = redirectNames === 'path' ? joinPath(site.content[0]?.folder ?? '', path) : null
  const isKnown = file === null || index.files.has(file) || isGenerated(index, [file])
  return isKnown ? UNRESOLVED : { ...UNRESOLVED, verdict: 'no' }
}

/** Returns true if the file of the redirect replaces the page that it leads to. */
function leadsToItself(site: Site, { source, destination }: SiteRedirect): boolean {
  const toUrl = (path: string) => {
    const page = joinPath(site.content[0]?.folder ?? '', path.replace(/#.*$/s, ''))
    return page === null ? undefined : toUrls(site, page, null)[0]
  }
  return toUrl(source) !== undefined && toUrl(source) === toUrl(destination)
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
