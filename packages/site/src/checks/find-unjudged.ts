import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { CheckName } from '../pages/problem.ts'
import type { LinkReading } from './find-link-problems.ts'
import type { Side } from './read-base.ts'

/** What a check could not look at. */
export interface Unjudged {
  /** True if the check passes for the rest. False if it has no result. */
  readonly isPartial: boolean
  /** Complete sentences. */
  readonly reasons: readonly string[]
}

interface Count {
  links: number
  images: number
}

/**
 * Returns what the checks could not judge, keyed by check: links of sites whose URLs the files do
 * not determine, anchors of pages with included content, and navigation and redirects that are
 * computed. Covers the sites of the given readings and pages.
 */
export function findUnjudged(
  side: Side,
  readings: ReadonlyMap<string, LinkReading>,
  pages: readonly string[] | null,
): ReadonlyMap<CheckName, Unjudged> {
  const counts = new Map<Site | null, Count>()
  let [anchors, openAnchors] = [0, 0]
  for (const [page, reading] of readings) {
    anchors += reading.anchors
    openAnchors += reading.openAnchors.length
    const found = findSite(side.sites, page)
    const site = findContent(found, page) === null || found.config === null ? null : found
    const count = counts.get(site) ?? { links: 0, images: 0 }
    for (const { problem } of reading.doubtful) count[problem.check === 'images' ? 'images' : 'links'] += 1
    counts.set(site, count)
  }
  const found = new Map<CheckName, Unjudged>()
  for (const name of ['links', 'images'] as const) {
    const reasons = [...counts].flatMap(([site, count]) =>
      count[name] === 0
        ? []
        : [
            site === null
              ? `${toCount(count[name], name)} in files outside all sites ${toVerb(count[name])} not checked, because other such ${name} do not lead to files either.`
              : `${toCount(count[name], name)} in ${toPlace(site)} ${toVerb(count[name])} not checked, because its configuration may generate pages or change URLs.`,
          ],
    )
    if (reasons.length > 0) found.set(name, { isPartial: false, reasons })
  }
  if (openAnchors > 0) {
    const reason = `${openAnchors} of ${toCount(anchors, 'links')} to headings ${toVerb(openAnchors)} not checked, because the linked pages may contain headings from other files or components.`
    found.set('anchors', { isPartial: openAnchors < anchors, reasons: [reason] })
  }
  const touched = pages === null ? side.sites : [...new Set(pages.map((page) => findSite(side.sites, page)))]
  const computed = touched.filter(({ navigation }) => navigation.mode === 'unknown')
  if (computed.length > 0) {
    found.set('navigation', {
      isPartial: computed.some(({ navigation }) => navigation.entries.length > 0),
      reasons: computed.map((site) => `The navigation of ${toPlace(site)} is computed and was not checked completely.`),
    })
  }
  const redirecting = touched.filter(({ redirects }) => !redirects.complete)
  if (redirecting.length > 0) {
    found.set('redirects', {
      isPartial: redirecting.some(({ redirects }) => redirects.list.length > 0),
      reasons: redirecting.map(
        (site) => `The redirects of ${toPlace(site)} are computed and were not checked completely.`,
      ),
    })
  }
  return found
}

function toPlace(site: Site): string {
  return site.root === '' ? `the ${site.framework.title} site` : `the ${site.framework.title} site in ${site.root}`
}

function toCount(count: number, things: string): string {
  return count === 1 ? `1 ${things.replace(/s$/, '')}` : `${count} ${things}`
}

function toVerb(count: number): string {
  return count === 1 ? 'was' : 'were'
}
