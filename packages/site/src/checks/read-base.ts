import { type Workspace, type WorkspaceEntry, WorkspaceError } from '@corrigenda/git/workspace'
import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { readSites } from '../sites/read-sites.ts'
import type { CheckerLimits } from './checker-limits.ts'
import { findLinkProblems, type LinkReading, type LinkSide } from './find-link-problems.ts'
import { type ContentDeps, type PageReading, readContents } from './read-contents.ts'
import { type SiteSummary, summarizeSites } from './summarize-sites.ts'

/** One state of a repository, as used by the checks. */
export interface Side extends LinkSide {
  readonly paths: readonly string[]
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  /** Front matter keyed by page. */
  readonly facts: ReadonlyMap<string, PageFacts>
}

/** The base commit, with every page read and every link checked. Built once per workspace. */
export interface Base extends Side {
  readonly readings: ReadonlyMap<string, LinkReading>
  /** Pages keyed by the files they link to. */
  readonly linking: ReadonlyMap<string, readonly string[]>
  /** Pages keyed by the files whose ids they reference. */
  readonly anchoring: ReadonlyMap<string, readonly string[]>
  readonly summary: SiteSummary
  /** Number of pages excluded by the limits. */
  readonly leftOut: number
}

/** Number of pages processed between two yields to the event loop. */
const PAGES_PER_TURN = 20

/** Reads a workspace's base commit. Takes about 10 ms of thread time per uncached page. */
export async function readBase(
  deps: ContentDeps,
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
  const pages = files.flatMap((entry): PageReading[] => {
    const dialect = toDialect(entry.path, findSite(sites, entry.path))
    if (dialect === null) return []
    return [
      {
        path: entry.path,
        dialect,
        blob: findBlob(entry),
        read: () => readOrNull(() => workspace.readBase(entry.path)),
      },
    ]
  })
  const until = Date.now() + limits.readMs
  const contents = await readContents(deps, workspace, pages.slice(0, limits.maxPages), { until, signal })
  const facts = toFacts(contents)
  const index = buildSiteIndex(
    sites,
    entries.map((entry) => entry.path),
    facts,
  )
  const side: Side = { paths, sites, facts, ...buildLinkSide(index, (path) => contents.get(path)) }
  const readings = new Map<string, LinkReading>()
  const linking = new Map<string, string[]>()
  const anchoring = new Map<string, string[]>()
  for (const [page, content] of contents) {
    if (readings.size % PAGES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    const reading = findLinkProblems(side, page, content)
    readings.set(page, reading)
    for (const path of reading.targets) addTo(linking, path, page)
    for (const path of reading.anchored) addTo(anchoring, path, page)
  }
  const summary = summarizeSites(side, readings, limits)
  for (const [page, reading] of readings) readings.set(page, summary.decide(page, reading))
  return { ...side, readings, linking, anchoring, summary, leftOut: Math.max(0, pages.length - limits.maxPages) }
}

export function buildLinkSide(index: SiteIndex, contentOf: (path: string) => PageContent | undefined): LinkSide {
  const sets = new WeakMap<PageContent, ReadonlySet<string>>()
  return {
    index,
    contentOf,
    anchorsOf(content) {
      const known = sets.get(content)
      if (known !== undefined) return known
      const anchors = new Set(content.anchors)
      sets.set(content, anchors)
      return anchors
    },
  }
}

function toFacts(contents: ReadonlyMap<string, PageContent>): Map<string, PageFacts> {
  const facts = new Map<string, PageFacts>()
  for (const [path, content] of contents) if (content.facts !== null) facts.set(path, content.facts)
  return facts
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
    if (error instanceof WorkspaceError) return null
    throw error
  })
}

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
