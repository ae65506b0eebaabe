import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { getJob } from '../jobs/get-job.ts'
import { claim, createTestRun, endLease, silent } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { releaseRun } from './release-run.ts'
import { requestCancel } from './request-cancel.ts'
import { sweepRuns } from './sweep-runs.ts'

/** Sweeps and answers what was queued of these runs, in order. Other tests' runs may be swept along; they do not matter. */
async function sweep(database: Database, runIds: readonly string[], maxAttempts = 10): Promise<string[]> {
  const queued: string[] = []
  const queue = {
    enqueue: async (runId: string, attempt: number) => void queued.push(`${runId}-${attempt}`),
    close: async () => {},
  }
  await sweepRuns({ prisma: database.prisma, queue, log: silent, maxAttempts })
  return queued.filter((entry) => runIds.some((id) => entry.startsWith(id)))
}

/** As if the run had been handed to the queue a while ago. */
const age = (database: Database, runId: string) =>
  database.prisma.$executeRaw`UPDATE runs SET enqueued_at = enqueued_at - interval '1 minute' WHERE id = ${runId}`

test('an entry that the queue lost is brought back, once per interval', async () => {
  const database = openTestDatabase()
  const { runId } = await createTestRun(database)
  expect(await sweep(database, [runId])).toEqual([])
  await age(database, runId)
  expect(await sweep(database, [runId])).toEqual([`${runId}-1`])
  expect(await sweep(database, [runId])).toEqual([])
})

test("a dead worker's run is queued for the next attempt; a live one's and a waiting one are left alone", async () => {
  const database = openTestDatabase()
  const [dead, live, waiting] = [
    await createTestRun(database),
    await createTestRun(database),
    await createTestRun(database),
  ]
  for (const run of [dead, live]) await claim(database, run.runId)
  await releaseRun(database, (await claim(database, waiting.runId))!, {
    reason: 'waiting',
    notBefore: new Date(Date.now() + 60_000),
  })
  await endLease(database, dead.runId)
  expect(await sweep(database, [dead.runId, live.runId, waiting.runId])).toEqual([`${dead.runId}-2`])
})

test('projects take turns, the oldest run of each first', async () => {
  const database = openTestDatabase()
  const a = [await createTestRun(database)]
  for (let i = 0; i < 3; i += 1) a.push(await createTestRun(database, a[0]!.projectId))
  const b = await createTestRun(database)
  const runs = [...a, b].map((run) => run.runId)
  for (const id of runs) await age(database, id)
  expect(await sweep(database, runs)).toEqual([a[0], b, a[1], a[2], a[3]].map((run) => `${run!.runId}-1`))
})

test('a run without attempts left, or cancelled while nobody works on it, ends', async () => {
  const database = openTestDatabase()
  const [spent, cancelled] = [await createTestRun(database), await createTestRun(database)]
  for (let i = 0; i < 10; i += 1) {
    await claim(database, spent.runId)
    await endLease(database, spent.runId)
  }
  expect(await requestCancel(database, cancelled.jobId)).toBe(true)
  expect(await requestCancel(database, cancelled.jobId)).toBe(false)
  await sweep(database, [])
  const read = (run: typeof spent) => getJob(database, { projectId: run.projectId, id: run.jobId })
  expect(await read(spent)).toMatchObject({ status: 'failed', failure: { code: 'attempts_exhausted' } })
  expect(await read(cancelled)).toMatchObject({ status: 'failed', outcome: 'cancelled' })
})

test('a row that a stopped process holds delays neither the sweep nor a claim', async () => {
  const database = openTestDatabase()
  const [held, free] = [await createTestRun(database), await createTestRun(database)]
  for (const run of [held, free]) await age(database, run.runId)
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [held.runId])
  try {
    expect(await sweep(database, [held.runId, free.runId])).toEqual([`${free.runId}-1`])
    expect(await claim(database, held.runId)).toBeNull()
    expect(await claim(database, free.runId)).not.toBeNull()
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
})

test('stored answers of idempotency keys are forgotten after a day', async () => {
  const database = openTestDatabase()
  const { projectId } = await createTestRun(database)
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const row = (key: string, createdAt: Date) => ({
    projectId,
    key,
    createdAt,
    requestHash: new Uint8Array(32),
    response: '{}',
  })
  await database.prisma.idempotencyKey.createMany({ data: [row('old', at(25)), row('young', at(23))] })
  await sweep(database, [])
  expect((await database.prisma.idempotencyKey.findMany({ where: { projectId } })).map((r) => r.key)).toEqual(['young'])
})
