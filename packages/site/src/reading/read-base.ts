import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import type { PageScan } from '../pages/scan-page.ts'
import { readSites } from '../sites/read-sites.ts'
import { type ContentDeps, type PageReading, readContents } from '../thread/read-contents.ts'
import { readScans, type ScanDeps } from '../thread/read-scans.ts'
import { isRefused, type Workspace, type WorkspaceEntry } from '../workspace/workspace.ts'
import type { CheckerLimits } from './checker-limits.ts'
import {
  EMPTY_READING,
  findLinkProblems,
  findScannedProblems,
  type LinkReading,
  type ScannedReading,
} from './find-link-problems.ts'
import type { LinkSide } from './link-side.ts'
import { type SiteSummary, summarizeSites } from './summarize-sites.ts'

/** The pages of a base commit, which are parsed only when a check needs them. */
interface BasePages {
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
function buildBasePages(deps: ContentDeps, lane: object, input: BasePagesInput): BasePages {
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

/** One state of a repository, as used by the checks. */
export interface Side extends LinkSide {
  readonly paths: readonly string[]
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  /** Front matter keyed by page. */
  readonly facts: ReadonlyMap<string, PageFacts>
  /** Returns true for pages within the limits. */
  isPage(path: string): boolean
}

/**
 * The base commit, with every page scanned. Pages are parsed when a check needs them. Built once
 * per workspace.
 */
export interface Base extends Side {
  /** `contentOf` and `anchorsOf` of both sides may be called only in `pages.read`. */
  readonly pages: BasePages
  /** Link readings of every page, based on the scan. */
  readonly scanned: ReadonlyMap<string, ScannedReading>
  /** Pages keyed by the files they may link to. */
  readonly linking: ReadonlyMap<string, readonly string[]>
  /** Pages keyed by the files whose ids they may reference. */
  readonly anchoring: ReadonlyMap<string, readonly string[]>
  readonly summary: SiteSummary
  /** Parses a page and returns its link problems. */
  readLinks(page: string): Promise<LinkReading>
  /** Names of shortcodes that the pages always close. */
  readonly pairs: ReadonlySet<string>
  /** Number of pages excluded by the limits. */
  readonly leftOut: number
}

/** Matches files whose components pages can import. They are read only if a page imports them. */
const COMPONENT = /\.(?:[cm]?[jt]sx?|astro|vue|svelte)$/i
/** Matches templates of Hugo's shortcodes. They are read only if a page uses them. */
const SHORTCODE = /(?:^|\/)layouts\/_?shortcodes\/.{1,500}\.(?:html|md)$/

/** Number of pages processed between two yields to the event loop. */
const PAGES_PER_TURN = 20

/**
 * Reads a workspace's base commit. Takes about 0.1 ms of thread time per uncached page of 10 kB.
 */
export async function readBase(
  deps: ContentDeps & ScanDeps,
  workspace: Workspace,
  limits: CheckerLimits,
  signal: AbortSignal,
): Promise<Base> {
  const entries = await workspace.listBase()
  const files = entries.filter((entry) => entry.kind === 'file')
  const paths = files.map((entry) => entry.path)
  const known = new Set(paths)
  const sites = await readSites({
    paths,
    read: async (path) => (known.has(path) ? await readOrNull(() => workspace.readBase(path)) : null),
  })
  const all = files.flatMap((entry): PageReading[] => {
    const dialect = toDialect(entry.path, findSite(sites, entry.path))
    if (dialect === null) return []
    return [{ ...toReading(workspace, entry), dialect }]
  })
  const pages = all.slice(0, limits.maxPages)
  const scans = await readScans(deps, workspace, pages, { until: Date.now() + limits.readMs, signal })
  const facts = new Map(
    [...scans].flatMap(([path, { facts, isValid }]) => (facts === null || !isValid ? [] : [[path, facts] as const])),
  )
  const index = buildSiteIndex(
    sites,
    entries.map((entry) => entry.path),
    facts,
  )
  const isPage = (path: string) => scans.has(path)
  const components = files.flatMap((entry): PageReading[] => {
    const dialect = COMPONENT.test(entry.path) ? 'component' : SHORTCODE.test(entry.path) ? 'shortcode' : null
    return dialect === null ? [] : [{ ...toReading(workspace, entry), dialect }]
  })
  const readable = [...pages, ...components]
  const contents = buildBasePages(deps, workspace, { pages: readable, scans, readMs: limits.readMs })
  const contentOf = (path: string) => (isPage(path) ? contents.find(path) : undefined)
  const componentOf = (path: string) => (isPage(path) ? undefined : contents.find(path))
  const side: Side = { paths, sites, facts, isPage, ...buildLinkSide(index, contentOf, componentOf) }
  const scanned = new Map<string, ScannedReading>()
  const linking = new Map<string, string[]>()
  const anchoring = new Map<string, string[]>()
  for (const [page, scan] of scans) {
    if (scanned.size % PAGES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    const reading = findScannedProblems(index, page, scan)
    scanned.set(page, reading)
    const { shown, hidden } = reading
    for (const path of new Set([...shown.targets, ...hidden.targets])) addTo(linking, path, page)
    for (const path of new Set([...shown.anchored, ...hidden.anchored])) addTo(anchoring, path, page)
  }
  const readings = new Map<string, LinkReading>()
  const readLinks = async (page: string): Promise<LinkReading> => {
    const known = readings.get(page)
    if (known !== undefined) return known
    const reading = await contents.read(() => {
      const content = contents.find(page)
      return content === undefined ? EMPTY_READING : findLinkProblems(side, page, content)
    })
    readings.set(page, reading)
    return reading
  }
  const singles = new Set([...scans.values()].flatMap((scan) => scan.singles))
  const pairs = new Set([...scans.values()].flatMap((scan) => scan.pairs.filter((name) => !singles.has(name))))
  const summary = summarizeSites({ index, scanned, anchoring, scans, load: contents.load, readLinks, limits })
  return {
    ...side,
    pages: contents,
    scanned,
    linking,
    anchoring,
    summary,
    pairs,
    leftOut: all.length - pages.length,
    readLinks: async (page) => await summary.decide(page, await readLinks(page)),
  }
}

function toReading(workspace: Workspace, entry: WorkspaceEntry): Omit<PageReading, 'dialect'> {
  const { path } = entry
  return { path, blob: findBlob(entry), read: () => readOrNull(() => workspace.readBase(path)) }
}

export function buildLinkSide(
  index: SiteIndex,
  contentOf: LinkSide['contentOf'],
  componentOf: LinkSide['componentOf'],
): LinkSide {
  const sets = new WeakMap<PageContent, ReadonlySet<string>>()
  return {
    index,
    contentOf,
    componentOf,
    anchorsOf(content) {
      const known = sets.get(content)
      if (known !== undefined) return known
      const anchors = new Set(content.anchors)
      sets.set(content, anchors)
      return anchors
    },
  }
}

/** Returns the blob id, or null if the entry does not have one, as in an in-memory workspace. */
function findBlob(entry: WorkspaceEntry): string | null {
  return 'oid' in entry && typeof entry.oid === 'string' ? entry.oid : null
}

/**
 * Reads a file, or returns null if it is too large or missing. The caller reports that it was not
 * read.
 */
export async function readOrNull(read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  return await read().catch((error: unknown) => {
    if (isRefused(error)) return null
    throw error
  })
}

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
