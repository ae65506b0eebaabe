import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { PageContent } from '../pages/page-content.ts'
import { PAGE } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'
import type { Base } from './read-base.ts'

/**
 * Returns a function that returns true for sites whose pages may refer to labels of other pages:
 * the configuration allows it, and a page of the base commit has a reference without a definition.
 */
export function buildOpenLabelTest(base: Base): (site: Site) => boolean {
  const known = new Map<string | null, boolean>()
  return (site) => {
    if (!site.hasOpenLabels) return false
    const found =
      known.get(site.config) ??
      [...base.pages.scans].some(
        ([path, scan]) => scan.hasOpenLabels && findSite(base.sites, path).config === site.config,
      )
    known.set(site.config, found)
    return found
  }
}

/**
 * Returns the references of a page to labels that are not defined. Text in brackets counts as a
 * reference if the base commit defines its label. An included file may define labels.
 * @param before the page in the base commit
 * @param isOpen as returned by `buildOpenLabelTest`
 */
export function findUndefinedReferences(
  sites: readonly Site[],
  path: string,
  { undefinedLabels, links }: PageContent,
  before: PageContent | undefined,
  isOpen: (site: Site) => boolean,
): Problem[] {
  const known = new Set(before?.definitions ?? [])
  if (undefinedLabels.length === 0) return []
  const site = findSite(sites, path)
  const { labels: shared } = site
  const includes = isOpen(site) || links.some(({ kind, href }) => kind === 'include' && PAGE.test(href))
  return undefinedLabels.flatMap(({ label, shown, line, isCertain }) => {
    if (shared?.has(label) || (!known.has(label) && (includes || !isCertain))) return []
    const message = `The link label ${JSON.stringify(shown)} is not defined. Add a line "[${shown}]: URL".`
    return [{ check: 'syntax', code: 'reference_undefined', path, line, subject: label, message }]
  })
}
