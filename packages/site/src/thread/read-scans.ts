import { MAX_PAGE_BYTES } from '../pages/read-page.ts'
import { EMPTY_SCAN, FAILED_SCAN, type PageScan } from '../pages/scan-page.ts'
import type { BoundedCache } from '../workspace/bounded-cache.ts'
import { hashBlob } from '../workspace/bounded-cache.ts'
import type { PageReading } from './read-contents.ts'
import type { CheckRunner } from './task.ts'

export interface ScanDeps {
  readonly runner: CheckRunner
  readonly scans: BoundedCache<PageScan>
}

/** Size of the pages scanned by one task, in bytes. Takes about 5 ms. */
const BATCH_BYTES = 256 * 1024

/**
 * Scans pages without parsing them. Returns the results keyed by path, in the order of the pages.
 * Each content is scanned only once, across all requests and repositories. Pages that cannot be
 * read have an empty result, or `FAILED_SCAN` if the runner failed.
 */
export async function readScans(
  { runner, scans }: ScanDeps,
  lane: object,
  pages: readonly PageReading[],
  { until = Number.POSITIVE_INFINITY, signal }: { readonly until?: number; readonly signal?: AbortSignal } = {},
): Promise<Map<string, PageScan>> {
  const found = new Map<string, PageScan>(pages.map(({ path }) => [path, EMPTY_SCAN]))
  let batch: { readonly path: string; readonly key: string; readonly bytes: Uint8Array }[] = []
  let size = 0
  let running: Promise<void> = Promise.resolve()
  const scan = async (taken: typeof batch) => {
    if (taken.length === 0) return
    const lengths = taken.map(({ bytes }) => bytes.length)
    const answer = await runner.run(
      { kind: 'scan', bytes: Buffer.concat(taken.map(({ bytes }) => bytes)), lengths },
      lane,
    )
    if (!answer.done) {
      for (const { path } of taken) found.set(path, FAILED_SCAN)
      return
    }
    for (const [at, value] of answer.value.entries()) {
      const { path, key } = taken[at] ?? {}
      if (path === undefined || key === undefined) continue
      found.set(path, value)
      scans.set(key, value)
    }
  }
  const flush = async () => {
    const next = scan(batch)
    ;[batch, size] = [[], 0]
    // The next pages are read while this batch is scanned.
    await running.finally(() => {
      running = next
    })
  }
  for (const page of pages) {
    signal?.throwIfAborted()
    const known = page.blob === null ? undefined : scans.get(page.blob)
    if (known !== undefined) {
      found.set(page.path, known)
      continue
    }
    if (Date.now() > until) continue
    const bytes = await page.read()
    if (bytes === null || bytes.length > MAX_PAGE_BYTES) continue
    const key = page.blob ?? hashBlob(bytes)
    const same = page.blob === null ? scans.get(key) : undefined
    if (same !== undefined) {
      found.set(page.path, same)
      continue
    }
    batch.push({ path: page.path, key, bytes })
    size += bytes.length
    if (size >= BATCH_BYTES) await flush()
  }
  await flush()
  await running
  return found
}

/** Returns the approximate size of a scan in bytes, which counts towards the cache limit. */
export function weighScan({ shown, hidden, components }: PageScan): number {
  const start = 400 + 60 * components.length
  return [...shown, ...hidden].reduce((sum, { href }) => sum + 80 + 2 * href.length, start)
}
