import type { CheckName } from '../pages/problem.ts'
import type { CheckerLimits } from './checker-limits.ts'
import { findNavigationProblems } from './find-navigation-problems.ts'
import type { Base } from './read-base.ts'

/**
 * If more than this share of links or entries is broken, the checker probably does not support the
 * site. In maintained sites, the share is less than 0.2%.
 */
const UNRELIABLE_SHARE = 0.02

export interface Unreliable {
  readonly broken: number
  readonly judged: number
}

/**
 * Returns the checks that find so many problems in the base commit that their findings can only be
 * advisory.
 */
export function findUnreliable(base: Base, limits: CheckerLimits): ReadonlyMap<CheckName, Unreliable> {
  const counts = {
    links: { broken: 0, judged: 0 },
    images: { broken: 0, judged: 0 },
    navigation: { broken: 0, judged: 0 },
  }
  for (const reading of base.readings.values()) {
    counts.links.judged += reading.links
    counts.images.judged += reading.images
    for (const { check } of reading.problems) if (check === 'links' || check === 'images') counts[check].broken += 1
  }
  for (const site of base.sites) {
    const { problems, entries } = findNavigationProblems(base.index, site)
    counts.navigation.judged += entries
    counts.navigation.broken += problems.filter((problem) => problem.code === 'navigation_missing_page').length
  }
  const found = new Map<CheckName, Unreliable>()
  for (const name of ['links', 'images', 'navigation'] as const) {
    const { broken, judged } = counts[name]
    if (broken >= limits.unreliableFrom && broken > judged * UNRELIABLE_SHARE) found.set(name, counts[name])
  }
  return found
}
