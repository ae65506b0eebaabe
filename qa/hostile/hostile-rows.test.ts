import { describe, expect, it } from 'vitest'
import { contentRows } from './content-rows.ts'
import { hostRows } from './host-rows.ts'
import { hostileRows } from './hostile-rows.ts'
import { nameRows } from './name-rows.ts'
import { openHostileWorker } from './test-support/open-hostile-worker.ts'

const expectSound = openHostileWorker()

it('has each hostile repository once', () => {
  expect(new Set(hostileRows.map((row) => row.name)).size).toBe(hostileRows.length)
  expect(hostileRows.length).toBeGreaterThan(150)
})

describe('leave nothing outside the cache, no process and no temporary file, and a sound repository readable', () => {
  it.concurrent.each([
    ['names and modes', nameRows],
    ['contents', contentRows],
    ['hosts', hostRows],
  ])('%s', (_what, rows) => expectSound(rows, { alternate: rows !== hostRows }), 240_000)
})
