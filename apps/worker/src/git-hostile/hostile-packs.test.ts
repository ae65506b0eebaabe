import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileGit } from '../git/test-support/compile.ts'
import { makeTempDir } from '../git/test-support/fixture.ts'
import { packRows } from './pack-rows.ts'
import { type RowResult, runRows } from './run-rows.ts'
import { lazyRows, thinRows } from './thin-rows.ts'

/** One of so many, so that the tests stay within minutes: `pnpm hostile repositories` takes all, each as a first download and as an update. */
const CHOSEN = 6
const isChosen = (_row: unknown, n: number) => n % CHOSEN === 0

const compiled = makeTempDir()
let workerModule: URL

beforeAll(() => {
  workerModule = new URL('../git-hostile/hostile-worker.js', compileGit(compiled.path, ['git-hostile', 'policy']))
})
afterAll(() => compiled[Symbol.dispose]())

describe('leave nothing outside the cache, no process and no temporary file, and a sound repository readable', () => {
  it.each([
    ['packs', packRows],
    ['deltas on what was there, and files that come later', [...thinRows, ...lazyRows]],
  ])(
    '%s',
    async (_what, rows) => {
      const results = await runRows(rows.filter(isChosen), { workerModule, alternate: true })
      const toFaults = ({ name, mode, faults }: RowResult) => faults.map((fault) => `${name} (${mode}): ${fault}`)
      expect(results.flatMap(toFaults)).toEqual([])
      expect(results.length).toBeGreaterThan(rows.length / CHOSEN)
    },
    240_000,
  )
})
