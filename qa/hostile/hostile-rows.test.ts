import { describe, expect, it } from 'vitest'
import { contentRows } from './content-rows.ts'
import { hostRows } from './host-rows.ts'
import { hostileRows } from './hostile-rows.ts'
import { openHostileWorker } from './test-support/open-hostile-worker.ts'
import { treeRows } from './tree-rows.ts'

const expectRowsToPass = openHostileWorker()

it('lists each hostile repository once', () => {
  expect(new Set(hostileRows.map((row) => row.name)).size).toBe(hostileRows.length)
  expect(hostileRows.length).toBeGreaterThan(150)
})

describe('hostile repositories leave no stray files or processes, and valid repositories stay readable', () => {
  it.concurrent.each([
    ['trees', treeRows()],
    ['contents', contentRows],
    ['hosts', hostRows],
  ])('%s', (_what, rows) => expectRowsToPass(rows, { alternate: rows !== hostRows }), 240_000)
})
