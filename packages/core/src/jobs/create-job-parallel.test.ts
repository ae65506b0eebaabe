import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { RolledBackError } from '../db/run-transaction.ts'
import { toSqlState } from '../db/to-sql-state.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createWebhook } from '../webhooks/manage-webhooks.ts'
import { QuotaError } from './count-quota.ts'
import { createJob } from './create-job.ts'
import { getJob } from './get-job.ts'
import { retryJob } from './retry-job.ts'

/** Databases with pools of their own, like those of several API processes. */
const openProcesses = (): Database[] => [openTestDatabase(3), openTestDatabase(4), openTestDatabase(5)]

interface Options {
  readonly limit?: number
  readonly key?: string | null
  readonly bodyHash?: string
  readonly prompt?: string
}

const create = (
  database: Database,
  projectId: string,
  { limit = 1000, key = null, bodyHash, ...request }: Options = {},
) =>
  createJob(
    {
      prisma: database.prisma,
      pool: database.pool,
      queue: { wakeWorker: async () => {} },
      log: silent,
      audit: COMMAND_LINE,
      defaultModel: 'm-1',
      quota: { limit, windowSeconds: 3600 },
    },
    {
      projectId,
      request: { prompt: 'Fix it.', ...request },
      idempotencyKey: key,
      ...(bodyHash === undefined ? {} : { bodyHash }),
    },
  )

const count = async ({ prisma }: Database, projectId: string) => ({
  jobs: await prisma.job.count({ where: { projectId } }),
  runs: await prisma.run.count({ where: { projectId } }),
  acts: await prisma.auditEvent.count({ where: { projectId, action: 'job.created' } }),
  keys: await prisma.idempotencyKey.count({ where: { projectId } }),
})
const counts = (jobs: number, keys = 0) => ({ jobs, runs: jobs, acts: jobs, keys })

test('accepts exactly 20 of 60 parallel requests of three processes', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) => create(databases[n % 3]!, id, { limit: 20 })),
  )
  const made = results.filter((result) => result.status === 'fulfilled')
  expect(made).toHaveLength(20)
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refusals.every((reason) => reason instanceof QuotaError && reason.quota.remaining === 0)).toBe(true)
  expect(refusals[0]).toMatchObject({ code: 'quota_exceeded', quota: { limit: 20 } })
  expect(await count(databases[0]!, id)).toEqual(counts(20))
  // Each accepted request was told a different remainder.
  const remaining = made.map(({ value }) => value.quota?.remaining).sort((a, b) => Number(a) - Number(b))
  expect(remaining).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('creates one job for 25 parallel requests of three processes with the same key, with equal responses', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.all(
    Array.from({ length: 25 }, (_, n) => create(databases[n % 3]!, id, { key: 'same' })),
  )
  expect(new Set(results.map((result) => JSON.stringify(result.job))).size).toBe(1)
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
  const { job } = results[0]!
  expect(await getJob(databases[1]!, { projectId: id, id: job.id })).toEqual(job)
  expect(await count(databases[0]!, id)).toEqual(counts(1, 1))
})

test('creates one job for 25 parallel requests of three processes with the same body, with equal responses', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.all(
    Array.from({ length: 25 }, (_, n) => create(databases[n % 3]!, id, { bodyHash: 'same', limit: 1 })),
  )
  expect(new Set(results.map(({ job }) => JSON.stringify(job))).size).toBe(1)
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await count(databases[0]!, id)).toEqual(counts(1, 1))
})

test('parallel requests of one process with different keys and bodies are decided separately', async () => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  await create(database, id, { key: 'old' })
  const [again, other, fresh, first, second] = await Promise.allSettled([
    create(database, id, { key: 'old', limit: 1 }),
    create(database, id, { key: 'old', prompt: 'Else.' }),
    create(database, id, { key: 'fresh' }),
    create(database, id, { key: 'twice' }),
    create(database, id, { key: 'twice', prompt: 'Else.' }),
  ])
  expect(again).toMatchObject({ value: { replayed: true, quota: null } })
  expect(other).toMatchObject({ reason: { code: 'idempotency_mismatch' } })
  expect(fresh).toMatchObject({ value: { replayed: false } })
  expect(first).toMatchObject({ value: { replayed: false } })
  expect(second).toMatchObject({ reason: { code: 'idempotency_mismatch' } })
  expect(await count(database, id)).toEqual(counts(3, 3))
})

test('a request that the project refuses gets its stored response, and another key the refusal', async () => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  const before = await create(database, id, { key: 'before' })
  await database.prisma.project.update({ where: { id }, data: { settings: { policy: { model: 'opus' } } } })
  const [again, next] = await Promise.allSettled([
    create(database, id, { key: 'before' }),
    create(database, id, { key: 'next' }),
  ])
  expect(again).toMatchObject({ value: { job: before.job, replayed: true } })
  expect(next).toMatchObject({ reason: { code: 'invalid_request' } })
  expect(await count(database, id)).toEqual(counts(1, 1))
})

test('parallel creations and retries use their own quotas', async () => {
  const database = openTestDatabase(6)
  const { projectId, jobId, runId } = await createTestRun(database)
  await finishRun(database, (await claim(database, runId))!, { kind: 'no_changes', summary: '', checks: [] })
  const quota = { limit: 5, windowSeconds: 3600 }
  const deps = { ...database, queue: { wakeWorker: async () => {} }, log: silent, quota }
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? create(database, projectId, { limit: 5 })
        : retryJob(deps, { projectId, id: jobId, idempotencyKey: null }),
    ),
  )
  const isAccepted = results.map(({ status }) => status === 'fulfilled')
  // The test run's job is one of the five.
  expect(isAccepted.filter((is, n) => is && n % 2 === 0)).toHaveLength(4)
  expect(isAccepted.filter((is, n) => is && n % 2 === 1)).toHaveLength(5)
})

test('accepts as many parallel requests of three processes as the pull request limit allows', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const settings = { policy: { maxOpenPullRequests: 7 } }
  await databases[0]!.prisma.project.update({ where: { id }, data: { settings } })
  const results = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => create(databases[n % 3]!, id)))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refusals).toHaveLength(33)
  for (const reason of refusals) {
    expect(reason).toMatchObject({ code: 'too_many_pull_requests', message: expect.stringContaining('7 reserved') })
  }
  expect(await count(databases[0]!, id)).toEqual(counts(7))
})

test('an invalid request does not affect those that arrive with it', async () => {
  const database = openTestDatabase()
  const [one, two] = [await createTestProject(database), await createTestProject(database)]
  const invalid = create(database, one.id, { prompt: 'NUL \u0000', key: 'bad' })
  const others = [one, one, two].map(({ id }) => create(database, id))
  const error = await invalid.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RolledBackError)
  expect(toSqlState((error as RolledBackError).cause)).toBe('22021')
  await Promise.all(others)
  expect(await count(database, one.id)).toEqual(counts(2))
  expect(await count(database, two.id)).toEqual(counts(1))
})

test('a database error leaves nothing of the request that caused it', async () => {
  const database = await openOwnTestDatabase()
  const { id } = await createTestProject(database)
  await database.prisma.$executeRawUnsafe(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`)
  await database.prisma.$executeRawUnsafe(`
    CREATE TRIGGER fail BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.prompt = 'Break.') EXECUTE FUNCTION fail()`)
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) =>
      create(database, id, { key: `k-${n}`, limit: 11, ...(n === 5 ? { prompt: 'Break.' } : {}) }),
    ),
  )
  expect(results.map(({ status }) => status === 'fulfilled').indexOf(false)).toBe(5)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
  expect(results[5]).toMatchObject({ reason: { message: 'broken' } })
  expect(await count(database, id)).toEqual(counts(11, 11))
})

test('a project whose lock is held does not delay the requests of another project', async () => {
  const database = await openOwnTestDatabase()
  const [locked, free] = [await createTestProject(database), await createTestProject(database)]
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota:${locked.id}`])
  const waiting = [1, 2, 3].map(() => create(database, locked.id))
  try {
    await Promise.all([1, 2, 3].map(() => create(database, free.id)))
    const isWaiting = () =>
      holder.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    // The third one waits in the process.
    await expect.poll(async () => (await isWaiting()).rowCount).toBe(2)
    expect(await count(database, locked.id)).toEqual(counts(0))
    await create(database, free.id)
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  await Promise.all(waiting)
  expect(await count(database, locked.id)).toEqual(counts(3))
})

test('a webhook endpoint that is being removed does not delay the requests of another project', async () => {
  const database = await openOwnTestDatabase()
  const [locked, free] = [await createTestProject(database), await createTestProject(database)]
  const deps = { ...database, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  await createWebhook(deps, { projectId: locked.id, url: 'https://example.com', description: '', events: [] })
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('DELETE FROM webhook_endpoints WHERE project_id = $1', [locked.id])
  const waiting = [1, 2].map(() => create(database, locked.id))
  try {
    await Promise.all([1, 2].map(() => create(database, free.id)))
    expect(await count(database, locked.id)).toEqual(counts(0))
  } finally {
    await holder.query('COMMIT')
    holder.release()
  }
  await Promise.all(waiting)
  expect(await count(database, locked.id)).toEqual(counts(2))
})

test('a project that is deleted meanwhile refuses its requests and does not delay those of another project', async () => {
  const database = await openOwnTestDatabase()
  const [gone, other] = [await createTestProject(database), await createTestProject(database)]
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [gone.id])
  await holder.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [gone.id])
  const refused = Promise.allSettled([create(database, gone.id), create(database, gone.id, { key: 'k' })])
  try {
    await create(database, other.id)
    expect(await count(database, other.id)).toEqual(counts(1))
  } finally {
    await holder.query('COMMIT')
    holder.release()
  }
  for (const outcome of await refused) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
  }
  await expect(create(database, gone.id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await count(database, gone.id)).toEqual(counts(0))
})

test('each of several jobs that are created at once has its events, and each endpoint one delivery of each', async () => {
  const database = openTestDatabase()
  const [one, two] = [await createTestProject(database), await createTestProject(database)]
  const deps = { ...database, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  const add = (projectId: string, events: ('job.created' | 'audit.event')[]) =>
    createWebhook(deps, { projectId, url: 'https://example.com', description: '', events })
  const endpoints = [await add(one.id, []), await add(one.id, ['audit.event', 'job.created'])]
  const made = await Promise.all([one, one, two].map(({ id }) => create(database, id)))
  const jobs = made.map(({ job }) => job)
  const events = await database.prisma.webhookEvent.findMany({ where: { projectId: one.id } })
  const payloads = events.map(({ payload }) => JSON.parse(payload))
  const ofType = (type: string) => payloads.filter((payload) => payload.type === type)
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const [first, second] = jobs.slice(0, 2).sort(byId)
  expect(
    ofType('job.created')
      .map(({ data }) => data.job)
      .sort(byId),
  ).toEqual([first, second])
  for (const { timestamp, data } of ofType('job.created')) expect(timestamp >= data.job.createdAt).toBe(true)
  const acts = ofType('audit.event').map(({ data }) => data.auditEvent)
  const recorded = acts.filter(({ action }) => action === 'job.created')
  expect(recorded.map(({ target }) => target.id).sort()).toEqual([first?.id, second?.id])
  expect(recorded[0]).toMatchObject({ actor: COMMAND_LINE.actor, projectId: one.id, before: null, after: null })
  expect(await database.prisma.webhookEvent.count({ where: { projectId: two.id } })).toBe(0)
  const deliveries = await Promise.all(
    endpoints.map(({ id }) =>
      database.prisma.webhookDelivery.findMany({ where: { endpointId: id }, include: { event: true } }),
    ),
  )
  const types = deliveries.map((some) => some.map(({ event }) => event.type).sort())
  expect(types[0]).toEqual(['job.created', 'job.created'])
  expect(types[1]).toEqual([...acts.map(() => 'audit.event'), 'job.created', 'job.created'])
  for (const { event } of deliveries.flat()) expect(event.id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
})
