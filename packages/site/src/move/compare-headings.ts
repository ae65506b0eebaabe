import type { Heading } from '../pages/find-headings.ts'
import type { HeadingRename } from './heading-rename.ts'

/**
 * Compares the headings of a page with those before one of them was renamed, and with the planned
 * ones. Only that heading's text and id may differ. Returns the first unintended difference, or
 * null.
 */
export function compareHeadings({ before, after, index, text }: HeadingRename, now: readonly Heading[]): string | null {
  if (now.length !== before.length) return `there would be ${now.length} instead of ${before.length} headings`
  for (const [i, heading] of before.entries()) {
    const [planned, found] = [after[i], now[i]]
    const expected = i === index ? { level: heading.level, id: planned?.id, text } : heading
    const isSame = (['level', 'id', 'text'] as const).every((key) => found?.[key] === expected[key])
    if (!isSame) return `the heading ${JSON.stringify(heading.text)} would become ${JSON.stringify(found?.text)}`
  }
  return null
}
