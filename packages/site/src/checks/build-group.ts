import type { PageScan } from '../pages/scan-page.ts'
import type { LinkReading } from './find-link-problems.ts'
import type { ScannedReading } from './find-scanned-problems.ts'
import { type Counts, countReading, estimateCounts, isSuspect, NO_COUNTS, type PageCounts } from './site-group.ts'

/** The references of one language or folder of a site. Pages are parsed until a question is settled. */
export interface SiteGroup {
  /** The suspect pages: those with links that may not resolve. */
  readonly suspects: ReadonlyMap<string, PageCounts>
  /** Bounds of all references. They are equal when all suspect pages are parsed. */
  least(): Counts
  most(): Counts
  /**
   * Returns the answer of `test`. While it returns null, parses more of the suspect pages: first
   * those that `concerns` accepts, and those with the most possible problems. `test` must not
   * return null when all of them are parsed.
   */
  settle<T>(test: () => T | null, concerns?: (counts: PageCounts) => boolean): Promise<T>
  /** Parses all suspect pages. */
  complete(): Promise<void>
}

interface GroupInput {
  /** The pages of the group. */
  readonly pages: readonly string[]
  readonly scanned: ReadonlyMap<string, ScannedReading>
  readonly scans: ReadonlyMap<string, PageScan>
  /** Parses pages. */
  load(pages: readonly string[]): Promise<void>
  readLinks(page: string): Promise<LinkReading>
}

/** Number of pages that are parsed before the answer is tried again. */
const BATCH = 8

export function buildGroup({ pages, scanned, scans, load, readLinks }: GroupInput): SiteGroup {
  let certain = NO_COUNTS
  const suspects = new Map<string, PageCounts>()
  for (const page of pages) {
    const [reading, scan] = [scanned.get(page), scans.get(page)]
    if (reading === undefined || scan === undefined) continue
    if (isSuspect(reading)) suspects.set(page, estimateCounts(reading, scan))
    else {
      const { links, images } = reading.shown
      certain = add(certain, { ...NO_COUNTS, links, images })
    }
  }
  const sum = (bound: 'least' | 'most') => {
    let total = certain
    for (const counts of suspects.values()) total = add(total, counts[bound])
    return total
  }
  const parse = async (found: readonly string[]) => {
    await load(found)
    for (const page of found) suspects.set(page, countReading(await readLinks(page)))
  }
  const settle: SiteGroup['settle'] = async (test, concerns = () => true) => {
    for (;;) {
      const answer = test()
      if (answer !== null) return answer
      const open = [...suspects].filter(([, { isParsed }]) => !isParsed)
      if (open.length === 0) throw new Error('All pages are parsed, but the question is not settled.')
      const toRank = (counts: PageCounts) => (concerns(counts) ? 1e9 : 0) + toDoubt(counts)
      const ranked = open.map(([page, counts]) => ({ page, rank: toRank(counts) })).sort((a, b) => b.rank - a.rank)
      await parse(ranked.slice(0, BATCH).map(({ page }) => page))
    }
  }
  return {
    suspects,
    least: () => sum('least'),
    most: () => sum('most'),
    settle,
    async complete() {
      await parse([...suspects].flatMap(([page, { isParsed }]) => (isParsed ? [] : [page])))
    },
  }
}

function toDoubt({ most }: PageCounts): number {
  return most.doubtful + most.broken
}

function add(a: Counts, b: Counts): Counts {
  return {
    links: a.links + b.links,
    images: a.images + b.images,
    doubtful: a.doubtful + b.doubtful,
    broken: a.broken + b.broken,
  }
}
