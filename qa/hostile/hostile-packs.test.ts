import { describe, it } from 'vitest'
import { packRows } from './pack-rows.ts'
import { openHostileWorker } from './test-support/open-hostile-worker.ts'
import { lazyRows, thinRows } from './thin-rows.ts'

const expectSound = openHostileWorker()

describe('leave nothing outside the cache, no process and no temporary file, and a sound repository readable', () => {
  it.each([
    ['packs', packRows],
    ['deltas on what was there, and files that come later', [...thinRows, ...lazyRows]],
  ])('%s', (_what, rows) => expectSound(rows, { alternate: true }), 240_000)
})
