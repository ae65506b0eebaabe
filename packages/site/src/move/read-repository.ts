import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import type { PageHeadings } from '../pages/find-headings.ts'
import { PAGE } from '../pages/paths.ts'
import type { LinkSpan, PageLayout } from '../pages/read-layout.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { FAILED_SCAN, type PageScan } from '../pages/scan-page.ts'
import { openSites } from '../sites/open-sites.ts'
import { buildPageReader, type PageReader, readPageLayout } from '../thread/page-reader.ts'
import type { PageReading } from '../thread/read-contents.ts'
import { readScans } from '../thread/read-scans.ts'
import { decodeText } from '../workspace/text-file.ts'
import { isRefused, type Workspace } from '../workspace/workspace.ts'
import { MoveError } from './move-error.ts'

/** A repository's current sites and pages. Pages are parsed when they are loaded. */
export interface Repository {
  readonly sites: readonly Site[]
  readonly index: SiteIndex
  readonly paths: readonly string[]
  /** The links of each page. Excludes pages over 1 MB and pages that are not UTF-8. */
  readonly scans: ReadonlyMap<string, PageScan>
  /** Reads and parses pages. Ignores other files. Parses each page only once. */
  load(pages: Iterable<string>): Promise<void>
  bytesOf(page: string): Uint8Array
  /** Returns a loaded page's text, with LF line endings and no byte order mark. */
  textOf(page: string): string
  /** Returns the link destinations in a loaded page. Returns null if the page does not parse. */
  findSpans(page: string): readonly LinkSpan[] | null
  /** Returns the headings of a loaded page. Returns null if the page does not parse. */
  findHeadings(page: string): PageHeadings | null
  /** Parses other content of a page. Returns null if it does not parse. */
  parse(index: SiteIndex, page: string, bytes: Uint8Array): Promise<PageLayout | null>
}

interface LoadedPage {
  readonly bytes: Uint8Array
  readonly text: string
  readonly layout: PageLayout | null
}

const AT_ONCE = 8
const NO_LAYOUT: PageLayout = { spans: [], headings: { headings: [], ids: new Set() } }

/**
 * Reads a workspace's current state. Parsing happens in the reader's runner.
 * @param reader default: a new reader in this thread
 */
export async function readRepository(
  workspace: Workspace,
  reader: PageReader = buildPageReader(),
): Promise<Repository> {
  const entries = await workspace.list()
  const { sites, paths } = await openSites(workspace)
  const readings = entries.flatMap((entry): PageReading[] => {
    const { path, kind } = entry
    if (kind !== 'file' || !PAGE.test(path)) return []
    const blob = 'oid' in entry && typeof entry.oid === 'string' ? entry.oid : null
    // The scan does not depend on the dialect.
    return [{ path, dialect: 'plain', blob, read: () => readOrNull(workspace, path) }]
  })
  const scans = await readScans(reader, workspace, readings)
  const facts = new Map<string, PageFacts>()
  for (const [path, scan] of scans) {
    if (scan === FAILED_SCAN) throw new MoveError(`Nothing was changed: ${path} could not be read. Try again.`)
    if (scan.facts === null) scans.delete(path)
    else facts.set(path, scan.facts)
  }
  const index = buildSiteIndex(sites, paths, facts)
  const blobs = new Map(readings.map(({ path, blob }) => [path, blob]))
  const loaded = new Map<string, LoadedPage>()
  const parse = async (where: SiteIndex, page: string, bytes: Uint8Array, blob?: string) => {
    const dialect = toDialect(page, findSite(where.sites, page))
    return dialect === null ? NO_LAYOUT : await readPageLayout(reader, workspace, bytes, dialect, blob)
  }
  const get = (page: string): LoadedPage => {
    const found = loaded.get(page)
    if (found === undefined) throw new Error('A page was used before it was loaded.')
    return found
  }
  return {
    sites,
    index,
    paths,
    scans,
    async load(pages) {
      const left = [...new Set(pages)].filter((page) => scans.has(page) && !loaded.has(page))[Symbol.iterator]()
      const work = async () => {
        for (const page of left) {
          const bytes = await workspace.read(page)
          const decoded = decodeText(bytes)
          const layout = await parse(index, page, bytes, blobs.get(page) ?? undefined)
          loaded.set(page, { bytes, text: typeof decoded === 'string' ? '' : decoded.text, layout })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    },
    bytesOf: (page) => get(page).bytes,
    textOf: (page) => get(page).text,
    findSpans: (page) => get(page).layout?.spans ?? null,
    findHeadings: (page) => get(page).layout?.headings ?? null,
    parse: (where, page, bytes) => parse(where, page, bytes),
  }
}

/** Returns null for a file that cannot be read, for example because of its size. */
async function readOrNull(workspace: Workspace, path: string): Promise<Uint8Array | null> {
  try {
    return await workspace.read(path)
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}
