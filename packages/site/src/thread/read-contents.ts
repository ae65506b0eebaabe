import type { FileKind } from '../pages/dialect.ts'
import { buildUnread, type PageContent } from '../pages/page-content.ts'
import { MAX_PAGE_BYTES } from '../pages/read-page.ts'
import type { BoundedCache } from '../workspace/bounded-cache.ts'
import { hashBlob } from '../workspace/bounded-cache.ts'
import type { CheckRunner } from './task.ts'

export interface PageReading {
  readonly path: string
  readonly dialect: FileKind
  /** Blob id, or null if it is not available without reading the file. */
  readonly blob: string | null
  /** Returns null if the file cannot be read. */
  read(): Promise<Uint8Array | null>
}

export interface ContentDeps {
  readonly runner: CheckRunner
  readonly cache: BoundedCache<PageContent>
}

const AT_ONCE = 8
const WHY = {
  slow: 'reading it takes too long',
  crashed: 'reading it takes too much memory',
  closed: 'the worker is shutting down',
} as const

/**
 * Returns page contents keyed by path. Each combination of content and dialect is parsed only once,
 * across all requests and repositories.
 */
export async function readContents(
  deps: ContentDeps,
  lane: object,
  pages: readonly PageReading[],
  { until = Number.POSITIVE_INFINITY, signal }: { readonly until?: number; readonly signal?: AbortSignal } = {},
): Promise<Map<string, PageContent>> {
  const found = new Map<string, PageContent>()
  const left = pages[Symbol.iterator]()
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      signal?.throwIfAborted()
      const page = next.value
      found.set(page.path, Date.now() > until ? buildUnread(WHY.slow) : await readContent(deps, lane, page))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, pages.length) }, work))
  return found
}

async function readContent({ runner, cache }: ContentDeps, lane: object, page: PageReading): Promise<PageContent> {
  const { dialect } = page
  const known = page.blob === null ? undefined : cache.get(`${dialect}:${page.blob}`)
  if (known !== undefined) return known
  const bytes = await page.read()
  if (bytes === null) return buildUnread('it cannot be read')
  if (bytes.length > MAX_PAGE_BYTES) return buildUnread('it is larger than 1 MB')
  const key = `${dialect}:${page.blob ?? hashBlob(bytes)}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const result = await runner.run({ kind: 'page', bytes, dialect }, lane)
  const content = result.done ? result.value : buildUnread(WHY[result.reason])
  // Failures are also cached, because a page that crashed the thread would crash it again.
  if (result.done || result.reason !== 'closed') cache.set(key, content)
  return content
}

/** Returns the approximate size of page content in bytes, which counts towards the cache limit. */
export function weighContent(content: PageContent): number {
  const { links, anchors, components, imports, problems, openBlocks, definitions, undefinedLabels } = content
  let weight = 400
  for (const { href, text = '' } of links) weight += 80 + 2 * (href.length + text.length)
  for (const anchor of anchors) weight += 40 + 2 * anchor.length
  weight += 60 * components.length + 160 * imports.length + 400 * (problems.length + openBlocks.length)
  return weight + 100 * (definitions.length + undefinedLabels.length)
}
