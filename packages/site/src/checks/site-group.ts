import type { Problem } from '../pages/problem.ts'
import type { PageScan } from '../pages/scan-page.ts'
import type { LinkReading } from './find-link-problems.ts'
import type { ScannedReading } from './find-scanned-problems.ts'

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

export const NO_COUNTS: Counts = { links: 0, images: 0, doubtful: 0, broken: 0 }

export function isCounted({ code }: Problem): boolean {
  return code === 'link_broken' || code === 'image_missing' || code === 'navigation_missing_page'
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
