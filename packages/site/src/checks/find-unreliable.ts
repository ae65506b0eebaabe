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
 * advisory. Counts the references of the scanned pages. Parses the pages with broken ones only if
 * there may be too many.
 */
export async function findUnreliable(base: Base, limits: CheckerLimits): Promise<ReadonlyMap<CheckName, Unreliable>> {
  const isUnreliable = ({ broken, judged }: Unreliable) =>
    broken >= limits.unreliableFrom && broken > judged * UNRELIABLE_SHARE
  const counts = {
    links: { broken: 0, judged: 0 },
    images: { broken: 0, judged: 0 },
    navigation: { broken: 0, judged: 0 },
  }
  const suspects: string[] = []
  for (const [page, { shown }] of base.scanned) {
    counts.links.judged += shown.links
    counts.images.judged += shown.images
    const broken = shown.problems.filter(({ check }) => check === 'links' || check === 'images')
    for (const { check } of broken) if (check === 'links' || check === 'images') counts[check].broken += 1
    if (broken.length > 0) suspects.push(page)
  }
  if (isUnreliable(counts.links) || isUnreliable(counts.images)) {
    counts.links.broken = 0
    counts.images.broken = 0
    await base.pages.load(suspects)
    for (const page of suspects) {
      for (const { check } of (await base.readLinks(page)).problems)
        if (check === 'links' || check === 'images') counts[check].broken += 1
    }
  }
  for (const site of base.sites) {
    const { problems, entries } = findNavigationProblems(base.index, site)
    counts.navigation.judged += entries
    counts.navigation.broken += problems.filter((problem) => problem.code === 'navigation_missing_page').length
  }
  const found = new Map<CheckName, Unreliable>()
  for (const name of ['links', 'images', 'navigation'] as const) {
    if (isUnreliable(counts[name])) found.set(name, counts[name])
  }
  return found
}
