import { type Check, listTouched } from '../../reading/check.ts'
import { toPlace } from '../../reading/judge-links.ts'
import type { Side } from '../../reading/read-base.ts'
import { findLostAddresses } from './find-lost-addresses.ts'
import { findRedirectProblems } from './find-redirect-problems.ts'

/** Redirects that lead nowhere, and addresses that need one. */
export const redirects = {
  name: 'redirects',
  issues: {
    redirect_dead: 'blocks',
    redirect_loop: 'blocks',
    redirect_missing: 'blocks',
    redirect_shadows: 'advisory',
  },
  async find({ base, now, renames }) {
    const findIn = ({ index, sites }: Side) => sites.flatMap((site) => findRedirectProblems(index, site))
    const lost = await findLostAddresses(base, now, renames)
    return { before: findIn(base), after: [...findIn(now), ...lost] }
  },
  findUnjudged(input) {
    const computed = listTouched(input).filter(({ redirects }) => !redirects.complete)
    if (computed.length === 0) return null
    return {
      isPartial: computed.some(({ redirects }) => redirects.list.length > 0),
      reasons: computed.map(
        (site) => `The redirects of ${toPlace(site)} are computed and were not checked completely.`,
      ),
    }
  },
} as const satisfies Check
