import type { PageScan } from '../pages/scan-page.ts'
import type { LinkReading, ScannedReading } from './find-link-problems.ts'
import type { Problem } from './problem.ts'

/** Numbers of references of one page, or of a group of pages. */
export interface Counts {
  readonly links: number
  readonly images: number
  /** Links of `LinkReading.doubtful` without an area. */
  readonly doubtful: number
  readonly broken: number
}

/** A problem of a page, and how often the page has it. */
interface CountedProblem {
  readonly problem: Problem
  readonly times: number
}

/** The references of one page. Before the page is parsed, only bounds are known. */
export interface PageCounts {
  readonly least: Counts
  readonly most: Counts
  /** The counted problems; before the page is parsed, those that it may have. */
  readonly problems: readonly CountedProblem[]
  /** Areas of doubtful links; before the page is parsed, those that they may have. */
  readonly areas: ReadonlySet<string>
  readonly isParsed: boolean
}

const NO_COUNTS: Counts = { links: 0, images: 0, doubtful: 0, broken: 0 }

/** What the codes of counted problems refer to. */
const COUNTED: Readonly<Record<string, 'links' | 'images' | 'navigation'>> = {
  link_broken: 'links',
  image_missing: 'images',
  navigation_missing_page: 'navigation',
}

export function toCounted({ code }: Problem): 'links' | 'images' | 'navigation' | null {
  return COUNTED[code] ?? null
}

function isCounted(problem: Problem): boolean {
  return toCounted(problem) !== null
}

/** Returns true if a link may not resolve. The link may be code, so only the parsed page is certain. */
export function isSuspect({ shown, hidden }: ScannedReading): boolean {
  return [shown, hidden].some(({ problems, doubtful }) => problems.length + doubtful.length > 0)
}

/** Returns the bounds of a page that was only scanned. */
export function estimateCounts({ shown, hidden }: ScannedReading, scan: PageScan): PageCounts {
  const repeats = new Map<string, number>()
  let repeated = 0
  for (const { href, times = 1 } of scan.hidden) {
    if (times === 1) continue
    repeats.set(href, (repeats.get(href) ?? 0) + times - 1)
    repeated += times - 1
  }
  const own = toCounts(shown)
  const other = toCounts(hidden)
  const toTimes = ({ subject }: Problem) => 1 + (repeats.get(subject) ?? 0)
  const sum = (problems: readonly Problem[]) => problems.reduce((total, problem) => total + toTimes(problem), 0)
  const doubtful = hidden.doubtful.filter(({ area }) => area === null).map(({ problem }) => problem)
  return {
    least: NO_COUNTS,
    most: {
      links: own.links + other.links + repeated,
      images: own.images + other.images + repeated,
      doubtful: own.doubtful + sum(doubtful),
      broken: own.broken + sum(hidden.problems.filter(isCounted)),
    },
    problems: [
      ...shown.problems.filter(isCounted).map((problem) => ({ problem, times: 1 })),
      ...hidden.problems.filter(isCounted).map((problem) => ({ problem, times: toTimes(problem) })),
    ],
    areas: new Set([...listAreas(shown), ...listAreas(hidden)]),
    isParsed: false,
  }
}

/** Returns the exact counts of a parsed page. */
export function countReading(reading: LinkReading): PageCounts {
  const counts = toCounts(reading)
  return {
    least: counts,
    most: counts,
    problems: reading.problems.filter(isCounted).map((problem) => ({ problem, times: 1 })),
    areas: new Set(listAreas(reading)),
    isParsed: true,
  }
}

function toCounts({ links, images, doubtful, problems }: LinkReading): Counts {
  return {
    links,
    images,
    doubtful: doubtful.filter(({ area }) => area === null).length,
    broken: problems.filter(isCounted).length,
  }
}

function listAreas({ doubtful }: LinkReading): string[] {
  return doubtful.flatMap(({ area }) => (area === null ? [] : [area]))
}

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
