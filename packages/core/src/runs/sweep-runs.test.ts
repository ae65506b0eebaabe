import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { getJob } from '../jobs/get-job.ts'
import { CLAIM_RULES, claim, createTestRun, endLease, freeze, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { recordPush } from './record-push.ts'
import { releaseRun } from './release-run.ts'
import { listDueRuns, sweepRuns } from './sweep-runs.ts'

/**
 * Sweeps once and returns the due runs and the number of added wake-ups. `waiting` is the number of
 * wake-ups already in the queue.
 */
async function sweep(
  database: Database,
  options: { waiting?: number; projectConcurrency?: number } = {},
): Promise<{ due: string[]; woken: number }> {
  const { waiting = 0, ...rules } = options
  let woken = 0
  const queue = {
    wakeWorker: async () => {
      woken += 1
    },
    countWakeUps: async () => waiting,
    close: async () => {},
  }
  const deps = { ...CLAIM_RULES, ...rules, prisma: database.prisma, queue, log: silent }
  expect((await sweepRuns(deps)).woken).toBe(woken)
  return { due: await listDueRuns(deps), woken }
}

test('tops up the queue to one wake-up per due run, even after the queue has lost all entries', async () => {
  const database = await openOwnTestDatabase()
  const runs = [await createTestRun(database), await createTestRun(database)]
  const due = runs.map((run) => run.runId)
  expect(await sweep(database, { waiting: 2 })).toEqual({ due, woken: 0 })
  expect(await sweep(database, { waiting: 1 })).toEqual({ due, woken: 1 })
  expect(await sweep(database, { waiting: 0 })).toEqual({ due, woken: 2 })
})

test("wakes a worker for a crashed worker's run, but not for a running or waiting one", async () => {
  const database = await openOwnTestDatabase()
  const [dead, live, waiting] = [
    await createTestRun(database),
    await createTestRun(database),
    await createTestRun(database),
  ]
  for (const run of [dead, live]) await claim(database, run.runId)
  await releaseRun(database, (await claim(database, waiting.runId))!, {
    reason: 'waiting',
    afterMs: 60_000,
  })
  await endLease(database, dead.runId)
  expect(await sweep(database)).toEqual({ due: [dead.runId], woken: 1 })
})

test("alternates between projects, oldest run first, within each project's concurrency limit", async () => {
  const database = await openOwnTestDatabase()
  const a = [await createTestRun(database)]
  for (let i = 0; i < 3; i += 1) a.push(await createTestRun(database, a[0]!.projectId))
  const b = await createTestRun(database)
  expect((await sweep(database)).due).toEqual([a[0], b, a[1], a[2], a[3]].map((run) => run!.runId))
  await claim(database, a[0]!.runId)
  const tight = await sweep(database, { projectConcurrency: 2 })
  expect(tight).toEqual({ due: [a[1], b].map((run) => run!.runId), woken: 2 })
})

test('ends a run with no attempts left, unless it has started opening its pull request', async () => {
  const database = await openOwnTestDatabase()
  const [spent, opening] = [await createTestRun(database), await createTestRun(database)]
  for (const run of [spent, opening]) {
    for (let i = 0; i < 10; i += 1) {
      const held = await claim(database, run.runId)
      if (i === 9 && run === opening) {
        await freeze(database, held!)
        await recordPush(database, held!, { branch: 'b', commit: 'c' })
      }
      await endLease(database, run.runId)
    }
  }
  const read = (run: typeof spent) => getJob(database, { projectId: run.projectId, id: run.jobId })
  expect(await sweep(database)).toEqual({ due: [opening.runId], woken: 1 })
  expect(await read(spent)).toMatchObject({ status: 'failed', failure: { code: 'attempts_exhausted' } })
  expect(await read(opening)).toMatchObject({ status: 'active' })
  for (let i = 0; i < 5; i += 1) {
    expect(await claim(database, opening.runId)).toMatchObject({ interruptedPublish: 'attempts_exhausted' })
    await endLease(database, opening.runId)
  }
  expect(await sweep(database)).toEqual({ due: [], woken: 0 })
  expect(await read(opening)).toMatchObject({ status: 'failed', failure: { code: 'attempts_exhausted' } })
})

test('does not block sweeps and claims on a row locked by a suspended process', async () => {
  const database = await openOwnTestDatabase()
  const [held, free] = [await createTestRun(database), await createTestRun(database)]
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [held.runId])
  try {
    expect((await sweep(database)).due).toContain(free.runId)
    expect(await claim(database, held.runId)).toBeNull()
    expect(await claim(database, free.runId)).not.toBeNull()
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
})

test('a run that cannot be ended does not prevent other work', async () => {
  const database = await openOwnTestDatabase()
  const [stuck, free] = [await createTestRun(database), await createTestRun(database)]
  await database.prisma.$executeRaw`UPDATE runs SET attempt = 10`
  const due = await createTestRun(database)
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON runs FOR EACH ROW WHEN (OLD.id = '${stuck.runId}') EXECUTE FUNCTION refuse()`)
  expect(await sweep(database)).toEqual({ due: [due.runId], woken: 1 })
  const read = async ({ projectId, jobId }: typeof free) => (await getJob(database, { projectId, id: jobId })).status
  expect([await read(stuck), await read(free)]).toEqual(['active', 'failed'])
})

test('ends runs with no attempts left even if a suspended process has locked one of them', async () => {
  const database = await openOwnTestDatabase()
  const [held, free] = [await createTestRun(database), await createTestRun(database)]
  await database.prisma.$executeRaw`UPDATE runs SET attempt = 10`
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [held.runId])
  try {
    expect(await sweep(database)).toEqual({ due: [], woken: 0 })
    expect(await getJob(database, { projectId: free.projectId, id: free.jobId })).toMatchObject({ status: 'failed' })
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
})
