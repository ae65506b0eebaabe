import type { PageContent } from '../pages/page-content.ts'
import type { PageScan } from '../pages/scan-page.ts'
import { type ContentDeps, type PageReading, readContents } from '../thread/read-contents.ts'

/** The pages of a base commit, which are parsed only when a check needs them. */
export interface BasePages {
  /** Every page within the limits, in the order of the listing. */
  readonly scans: ReadonlyMap<string, PageScan>
  /**
   * Returns a page's content, or undefined for files that are not pages. Call it only in `read`.
   */
  find(path: string): PageContent | undefined
  /** Parses pages that have not been parsed. Ignores other files. */
  load(paths: Iterable<string>): Promise<void>
  /**
   * Returns the result of a synchronous function that uses `find`. Parses the pages that were not
   * found and repeats the function until it finds all of them.
   */
  read<T>(compute: () => T): Promise<T>
}

interface BasePagesInput {
  readonly pages: readonly PageReading[]
  readonly scans: ReadonlyMap<string, PageScan>
  /** Time limit for parsing pages of this base commit, in milliseconds. */
  readonly readMs: number
}

/** @param lane the lane of the runner */
export function buildBasePages(deps: ContentDeps, lane: object, input: BasePagesInput): BasePages {
  const readings = new Map(input.pages.map((page) => [page.path, page]))
  const contents = new Map<string, PageContent>()
  let leftMs = input.readMs
  let missing: Set<string> | null = null

  const load = async (paths: Iterable<string>): Promise<void> => {
    const unknown = [...new Set(paths)].flatMap((path) => (contents.has(path) ? [] : (readings.get(path) ?? [])))
    if (unknown.length === 0) return
    const started = Date.now()
    const found = await readContents(deps, lane, unknown, { until: started + leftMs })
    leftMs -= Date.now() - started
    for (const [path, content] of found) if (!contents.has(path)) contents.set(path, content)
  }

  return {
    scans: input.scans,
    load,
    find(path) {
      if (missing === null) throw new Error('A page of the base commit was used before it was parsed.')
      const content = contents.get(path)
      if (content === undefined && readings.has(path)) missing.add(path)
      return content
    },
    async read(compute) {
      for (;;) {
        const asked = new Set<string>()
        missing = asked
        let value: ReturnType<typeof compute>
        try {
          value = compute()
        } finally {
          missing = null
        }
        if (asked.size === 0) return value
        await load(asked)
      }
    },
  }
}
