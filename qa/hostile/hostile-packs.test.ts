import { describe, it } from 'vitest'
import { packRows } from './pack-rows.ts'
import { openHostileWorker } from './test-support/open-hostile-worker.ts'
import { lazyRows, thinRows } from './thin-rows.ts'

const expectRowsToPass = openHostileWorker()

describe('hostile repositories leave no stray files or processes, and valid repositories stay readable', () => {
  it.each([
    ['packs', packRows],
    ['deltas against existing objects, and files fetched later', [...thinRows, ...lazyRows]],
  ])('%s', (_what, rows) => expectRowsToPass(rows, { alternate: true }), 240_000)
})
