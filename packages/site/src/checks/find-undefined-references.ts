import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { PageContent } from '../pages/page-content.ts'
import { PAGE } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'

/**
 * Returns the references of a page to labels that are not defined. Text in brackets counts as a
 * reference if the base commit defines its label. An included file may define labels.
 * @param before the page in the base commit
 */
export function findUndefinedReferences(
  sites: readonly Site[],
  path: string,
  { undefinedLabels, links }: PageContent,
  before: PageContent | undefined,
): Problem[] {
  const known = new Set(before?.definitions ?? [])
  if (undefinedLabels.length === 0) return []
  const { labels: shared, hasOpenLabels } = findSite(sites, path)
  const includes = hasOpenLabels || links.some(({ kind, href }) => kind === 'include' && PAGE.test(href))
  return undefinedLabels.flatMap(({ label, shown, line, isCertain }) => {
    if (shared?.has(label) || (!known.has(label) && (includes || !isCertain))) return []
    const message = `The link label ${JSON.stringify(shown)} is not defined. Add a line "[${shown}]: URL".`
    return [{ check: 'syntax', code: 'reference_undefined', path, line, subject: label, message }]
  })
}
