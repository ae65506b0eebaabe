import { findSite } from '../../frameworks/find-site.ts'
import type { Site } from '../../frameworks/framework.ts'
import { findPatternRedirect } from '../../links/find-redirect.ts'
import { isOpenUrl } from '../../links/is-open-url.ts'
import { isReachable } from '../../links/is-reachable.ts'
import { resolveUrl } from '../../links/resolve-url.ts'
import type { SiteIndex } from '../../links/site-index.ts'
import { toUrls } from '../../links/to-urls.ts'
import type { Problem } from '../../reading/problem.ts'
import type { Base } from '../../reading/read-base.ts'
import type { Now } from '../../reading/read-now.ts'

/**
 * Finds URLs of moved or deleted pages that no longer resolve and have no redirect. Blocks a change
 * only if a page was moved in a site that defines redirects. Reviewers decide whether to redirect a
 * deleted page.
 */
export async function findLostAddresses(
  base: Base,
  now: Now,
  renames: ReadonlyMap<string, string>,
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const path of now.moved) {
    const site = findSite(base.sites, path)
    const current = now.sites.find((other) => other.config === site.config)
    if (site.config === null || current === undefined) continue
    const lost = toUrls(site, path, base.facts.get(path) ?? null).find(
      (url) =>
        hasPage(base.index, site, url) &&
        !isResolved(now.index, current, url) &&
        (isOpenUrl(site, url) || !isOpenUrl(current, url)),
    )
    if (lost === undefined || !(await isPublished(base, site, path))) continue
    const file = current.redirects.files[0] ?? null
    const movedTo = renames.get(path) ?? (now.isPage(path) ? path : null)
    const keeps = current.redirects.list.length > 0 && file !== null
    problems.push({
      code: 'redirect_missing',
      path: keeps ? file : (movedTo ?? path),
      line: null,
      subject: lost,
      message: `The URL "${lost}" of ${path} no longer works.${file === null ? '' : ` Add a redirect in ${file}.`}`,
      ...(movedTo !== null && keeps ? {} : { advisory: true }),
    })
  }
  return problems
}

/** Returns true if the page has a public URL. Partials and hidden pages do not. */
async function isPublished({ index, summary }: Base, site: Site, path: string): Promise<boolean> {
  // The page of a dynamic route has no URL of its own.
  if (path.includes('[')) return false
  if (site.addresses !== 'known' && !(await summary.isUnderstood(path))) return false
  const reachable = isReachable(index, site, path)
  if (site.framework.publishesListed && reachable === 'no') return false
  return site.navigation.mode === 'unknown' || reachable !== 'unknown'
}

function hasPage(index: SiteIndex, site: Site, url: string): boolean {
  return index.pages[index.sites.indexOf(site)]?.has(url) === true
}

function isResolved(index: SiteIndex, site: Site, url: string): boolean {
  if (!site.redirects.complete || findPatternRedirect(index, site, url) !== null) return true
  return resolveUrl(index, site, url).verdict === 'yes'
}
