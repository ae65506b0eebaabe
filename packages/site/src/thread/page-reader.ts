import type { Dialect } from '../pages/dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { PageLayout } from '../pages/read-layout.ts'
import type { PageScan } from '../pages/scan-page.ts'
import { type BoundedCache, buildBoundedCache, hashBlob } from '../workspace/bounded-cache.ts'
import { buildInlineRunner } from './build-inline-runner.ts'
import { type ContentDeps, weighContent } from './read-contents.ts'
import { type ScanDeps, weighScan } from './read-scans.ts'
import type { CheckRunner } from './task.ts'

/**
 * Reads pages in a runner, and keeps the results by content. The checks and the tools share one
 * reader, so that each of them does not read the same page again.
 */
export interface PageReader extends ContentDeps, ScanDeps {
  readonly layouts: BoundedCache<PageLayout | null>
}

/** Size limits of the caches in bytes. The first two are enough for about 10,000 pages. */
const MAX_CONTENT_BYTES = 32 * 1024 * 1024
const MAX_SCAN_BYTES = 16 * 1024 * 1024
const MAX_LAYOUT_BYTES = 8 * 1024 * 1024

/** @param runner default: a runner in this thread */
export function buildPageReader(runner: CheckRunner = buildInlineRunner()): PageReader {
  return {
    runner,
    cache: buildBoundedCache<PageContent>(MAX_CONTENT_BYTES, weighContent),
    scans: buildBoundedCache<PageScan>(MAX_SCAN_BYTES, weighScan),
    layouts: buildBoundedCache<PageLayout | null>(MAX_LAYOUT_BYTES, weighLayout),
  }
}

/**
 * Returns the positions of the links and headings in a page, or null if the page does not parse.
 * @param lane the lane of the runner
 * @param blob the blob id, if it is known
 * @throws if the runner is closed
 */
export async function readPageLayout(
  { runner, cache, layouts }: PageReader,
  lane: object,
  bytes: Uint8Array,
  dialect: Dialect,
  blob: string = hashBlob(bytes),
): Promise<PageLayout | null> {
  const key = `${dialect}:${blob}`
  const known = layouts.get(key)
  if (known !== undefined) return known
  const answer = await runner.run({ kind: 'layout', bytes, dialect }, lane)
  if (!answer.done && answer.reason === 'closed') throw new Error('The thread that reads pages is closed.')
  const layout = answer.done ? answer.value.layout : null
  layouts.set(key, layout)
  if (answer.done) cache.set(key, answer.value.content)
  return layout
}

function weighLayout(layout: PageLayout | null): number {
  let weight = 200
  for (const { href } of layout?.spans ?? []) weight += 80 + 2 * href.length
  for (const { text } of layout?.headings.headings ?? []) weight += 120 + 2 * text.length
  for (const id of layout?.headings.ids ?? []) weight += 40 + 2 * id.length
  return weight
}
