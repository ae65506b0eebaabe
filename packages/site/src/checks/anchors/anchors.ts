import type { Check } from '../../reading/check.ts'
import { pickIssues, toCount, toVerb } from '../../reading/judge-links.ts'

/** Links to headings or ids that the page does not contain. They are found together with the links. */
export const anchors = {
  name: 'anchors',
  issues: { anchor_missing: 'advisory' },
  find: async (input) => pickIssues(input.links, 'anchor_missing'),
  findUnjudged({ links: { readings } }) {
    let [all, open] = [0, 0]
    for (const reading of readings.values()) {
      all += reading.anchors
      open += reading.openAnchors.length
    }
    if (open === 0) return null
    const reason = `${open} of ${toCount(all, 'links')} to headings ${toVerb(open)} not checked, because the linked pages may contain headings from other files or components.`
    return { isPartial: open < all, reasons: [reason] }
  },
} as const satisfies Check
