import { describe, it } from 'vitest'
import { packRows } from './pack-rows.ts'
import { openHostileWorker } from './test-support/open-hostile-worker.ts'
import { lazyRows, thinRows } from './thin-rows.ts'

const expectSound = openHostileWorker()

describe('hostile repositories leave no stray files or processes, and valid repositories stay readable', () => {
  it.each([
    ['packs', packRows],
    ['deltas against known objects, and files fetched later', [...thinRows, ...lazyRows]],
  ])('%s', (_what, rows) => expectSound(rows, { alternate: true }), 240_000)
})
