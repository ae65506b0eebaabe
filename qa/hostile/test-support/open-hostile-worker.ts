import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { HostileRow } from '../hostile-row.ts'
import { type RowResult, runRows } from '../run-rows.ts'

/** Runs every nth row, so that a sample takes only minutes. `pnpm qa hostile` runs all rows. */
const SAMPLE = 6

/** The compiled worker process, because a child process cannot load TypeScript. */
const WORKER = pathToFileURL(createRequire(import.meta.url).resolve('@corrigenda/qa/hostile/hostile-worker'))

/** Returns a function that runs a sample of the rows in a worker process and expects no faults. */
export function openHostileWorker(): (rows: readonly HostileRow[], options: { alternate: boolean }) => Promise<void> {
  return async (rows, { alternate }) => {
    const chosen = rows.filter((_, n) => n % SAMPLE === 0)
    const results = await runRows(chosen, { workerModule: WORKER, alternate })
    const toFaults = ({ name, mode, faults }: RowResult) => faults.map((fault) => `${name} (${mode}): ${fault}`)
    expect(results.flatMap(toFaults)).toEqual([])
    // One result per row, and one for a valid repository after each.
    expect(results.length).toBeGreaterThan(2 * chosen.length)
  }
}
