import type { Check } from '../../reading/check.ts'
import { findDoubtful, pickIssues } from '../../reading/judge-links.ts'

/** Images whose file is missing. They are found together with the links. */
export const images = {
  name: 'images',
  issues: { image_missing: 'blocks' },
  find: async (input) => pickIssues(input.links, 'image_missing'),
  findUnjudged: (input) => findDoubtful(input.now.sites, input.links, 'images'),
} as const satisfies Check
