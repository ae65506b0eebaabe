import { openDatabase } from '@corrigenda/core/db'
import { expect, onTestFinished, test } from 'vitest'
import { createTestRun, silent } from './../../../packages/core/src/test-support/create-test-run.ts'
import { createTestDatabase } from './test-support/create-test-database.ts'
import { startSweeper } from './watch-open-work.ts'

const POLLS = 30

/** Returns the numbers of the first polls that sweep a database with one run that is due. */
async function findSweeps(hasRuns: boolean): Promise<number[]> {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  await createTestRun(database)
  const sweeps: number[] = []
  let polls = 0
  const queue = {
    wakeWorker: async () => {},
    async countWakeUps() {
      sweeps.push(polls)
      return 1
    },
    close: async () => {},
  }
  const sweeper = startSweeper({
    ...database,
    queue,
    log: silent,
    maxAttempts: 10,
    projectConcurrency: 20,
    seconds: 0.001,
    hasRuns() {
      polls += 1
      return hasRuns
    },
  })
  onTestFinished(async () => {
    await sweeper.stop()
    await database.close()
    await drop()
  })
  await expect.poll(() => polls, { timeout: 30_000 }).toBeGreaterThan(POLLS)
  return sweeps.filter((poll) => poll <= POLLS)
}

test('each poll sweeps while there are runs', async () => {
  expect(await findSweeps(true)).toEqual(Array.from({ length: POLLS }, (_, n) => n + 1))
})

test('no poll sweeps without runs', async () => {
  expect(await findSweeps(false)).toEqual([])
})
