import { compileGit } from '@corrigenda/git/internal/test-support/compile'
import { makeTempDir } from '@corrigenda/git/internal/test-support/fixture'
import { afterAll, beforeAll, expect } from 'vitest'
import type { HostileRow } from '../hostile-row.ts'
import { type RowResult, runRows } from '../run-rows.ts'

/** One of so many, so that the tests stay within minutes: `pnpm hostile repositories` takes all, each as a first download and as an update. */
const CHOSEN = 6

/** Compiles the worker-like process once per file; what it answers puts a sample of hostile repositories before it, and expects that nothing is left. */
export function openHostileWorker(): (rows: readonly HostileRow[], options: { alternate: boolean }) => Promise<void> {
  const compiled = makeTempDir()
  let workerModule: URL
  beforeAll(() => {
    const file = compileGit(compiled.path, ['git-hostile', 'policy'])
    workerModule = new URL('../git-hostile/hostile-worker.js', file)
  })
  afterAll(() => compiled[Symbol.dispose]())
  return async (rows, { alternate }) => {
    const chosen = rows.filter((_, n) => n % CHOSEN === 0)
    const results = await runRows(chosen, { workerModule, alternate })
    const toFaults = ({ name, mode, faults }: RowResult) => faults.map((fault) => `${name} (${mode}): ${fault}`)
    expect(results.flatMap(toFaults)).toEqual([])
    // Each of them, and a sound one after each.
    expect(results.length).toBeGreaterThan(2 * chosen.length)
  }
}
