import type { PageContent } from '../pages/page-content.ts'
import type { Problem } from '../pages/problem.ts'

/**
 * Returns the references of a page to labels that are not defined. Text in brackets counts as a
 * reference if the base commit defines its label.
 * @param before the page in the base commit
 */
export function findUndefinedReferences(
  path: string,
  { undefinedLabels }: PageContent,
  before: PageContent | undefined,
): Problem[] {
  const known = new Set(before?.definitions ?? [])
  return undefinedLabels.flatMap(({ label, shown, line, isCertain }) => {
    if (!isCertain && !known.has(label)) return []
    const message = `The link label ${JSON.stringify(shown)} is not defined. Add a line "[${shown}]: URL".`
    return [{ check: 'syntax', code: 'reference_undefined', path, line, subject: label, message }]
  })
}
