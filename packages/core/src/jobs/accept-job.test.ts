import { expect, onTestFinished, test, vi } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { toSqlState } from '../db/to-sql-state.ts'
import type { JobProject } from '../projects/job-project.ts'
import { readJobProjects } from '../projects/read-job-projects.ts'
import { silent } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createWebhook } from '../webhooks/create-webhook.ts'
import { acceptJob } from './accept-job.ts'
import { QuotaError } from './count-quota.ts'
import { createJob } from './create-job.ts'
import { getJob } from './get-job.ts'
import type { JobWish } from './new-job.ts'

/** Databases with pools of their own, like those of several API processes. */
const openProcesses = (): Database[] => [openTestDatabase(3), openTestDatabase(4), openTestDatabase(5)]

interface Options {
  readonly limit?: number
  readonly key?: string | null
  readonly bodyHash?: string
  readonly prompt?: string
  readonly project?: JobProject | null
}

const create = (
  database: Database,
  projectId: string,
  { limit = 1000, key = null, bodyHash, project = null, ...request }: Options = {},
) =>
  createJob(
    {
      ...{ prisma: database.prisma, pool: database.pool, queue: { wakeWorker: async () => {} }, log: silent },
      ...{ audit: COMMAND_LINE, defaultModel: 'm-1', quota: { limit, windowSeconds: 3600 } },
    },
    {
      projectId,
      request: { prompt: 'Fix it.', ...request },
      idempotencyKey: key,
      project,
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

test('accepts exactly 100 of 300 parallel requests of three processes', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.allSettled(
    Array.from({ length: 300 }, (_, n) => create(databases[n % 3]!, id, { limit: 100 })),
  )
  const made = results.filter((result) => result.status === 'fulfilled')
  expect(made).toHaveLength(100)
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refusals.every((reason) => reason instanceof QuotaError && reason.quota.remaining === 0)).toBe(true)
  expect(await count(databases[0]!, id)).toEqual(counts(100))
  // Each accepted request was told a different remainder.
  const remaining = made.map(({ value }) => value.quota?.remaining).sort((a, b) => Number(a) - Number(b))
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => n))
})

test('creates one job for 25 parallel requests of three processes with the same key, with equal responses', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.allSettled(
    Array.from({ length: 25 }, (_, n) => create(databases[n % 3]!, id, { key: 'same' })),
  )
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'idempotency_in_flight' })
  }
  const bodies = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.body] : []))
  bodies.push((await create(databases[0]!, id, { key: 'same' })).body)
  expect(new Set(bodies).size).toBe(1)
  const job = JSON.parse(bodies[0]!)
  expect(await getJob(databases[1]!, { projectId: id, id: job.id })).toEqual(job)
  expect(await count(databases[0]!, id)).toEqual(counts(1, 1))
})

test('creates one job for 25 parallel requests of three processes with the same body, with equal responses', async () => {
  const databases = openProcesses()
  const { id } = await createTestProject(databases[0]!)
  const results = await Promise.all(
    Array.from({ length: 25 }, (_, n) => create(databases[n % 3]!, id, { bodyHash: 'same', limit: 1 })),
  )
  expect(new Set(results.map(({ body }) => body)).size).toBe(1)
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
  expect(again).toMatchObject({ value: { body: before.body, replayed: true } })
  expect(next).toMatchObject({ reason: { code: 'invalid_request' } })
  expect(await count(database, id)).toEqual(counts(1, 1))
})

test('facts about the project that were read with the key are used for a second, and read again afterwards', async () => {
  const database = openTestDatabase()
  const [own, other] = [await createTestProject(database), await createTestProject(database)]
  const known = await readJobProjects(database, [own.id, other.id])
  const model = async (project: JobProject | null) =>
    JSON.parse((await create(database, own.id, { project })).body).model
  await database.prisma.project.update({ where: { id: own.id }, data: { settings: { policy: { model: 'm-2' } } } })
  const query = vi.spyOn(database.pool, 'query')
  onTestFinished(() => query.mockRestore())

  const fresh = { ...known.get(own.id)!, readAt: performance.now() }
  expect(await model(fresh)).toBe('m-1')
  expect(query).toHaveBeenCalledTimes(1)
  expect(await model({ ...fresh, readAt: performance.now() - 1_000 })).toBe('m-2')
  expect(await model({ ...known.get(other.id)!, readAt: performance.now() })).toBe('m-2')
  expect(await model(null)).toBe('m-2')
})

test('creations and retries that are decided together use their own quotas', async () => {
  const database = openTestDatabase(6)
  const { id } = await createTestProject(database)
  const limit = 5
  const wishes: JobWish[] = Array.from({ length: 20 }, (_, n) => ({
    ...{ projectId: id, kind: n % 2 === 0 ? 'create' : 'retry', createdBy: null, repeatable: null },
    limits: { audit: COMMAND_LINE, quota: { limit, windowSeconds: 3600 } },
    toContent: () => ({ prompt: 'x', model: 'm-1', baseBranch: null, options: {}, metadata: {}, retryOf: null }),
  }))
  const results = await Promise.allSettled(wishes.map((wish) => acceptJob(database, wish)))
  const accepted = results.map(({ status }, n) => [status, wishes[n]?.kind].join(' '))
  expect(accepted.filter((text) => text === 'fulfilled create')).toHaveLength(limit)
  expect(accepted.filter((text) => text === 'fulfilled retry')).toHaveLength(limit)
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

test('an invalid request does not affect those that are decided with it', async () => {
  const database = openTestDatabase()
  const [one, two] = [await createTestProject(database), await createTestProject(database)]
  const invalid = create(database, one.id, { prompt: 'NUL \u0000', key: 'bad' })
  const others = [one, one, two].map(({ id }) => create(database, id))
  expect(toSqlState(await invalid.catch((error: unknown) => error))).toBe('22P05')
  await Promise.all(others)
  expect(await count(database, one.id)).toEqual(counts(2))
  expect(await count(database, two.id)).toEqual(counts(1))
})

test('a database error in the middle of a group leaves nothing of the request that caused it', async () => {
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
  await holder.query('SELECT lock_quota($1, true)', [locked.id])
  const waiting = [1, 2, 3].map(() => create(database, locked.id))
  try {
    await Promise.all([1, 2, 3].map(() => create(database, free.id)))
    const isWaiting = () =>
      holder.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    await expect.poll(async () => (await isWaiting()).rowCount).toBe(1)
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
  await database.pool.query('CREATE TABLE waits AS SELECT current_setting($1) AS longest WHERE false', ['lock_timeout'])
  await database.pool.query(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO waits VALUES (current_setting('lock_timeout')); RETURN NEW; END $$`)
  await database.pool.query('CREATE TRIGGER note BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION note()')
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
  // A group of several projects waits for half a second at most.
  await create(database, free.id)
  const { rows } = await database.pool.query('SELECT longest FROM waits')
  expect(rows.at(-1)).toEqual({ longest: '500ms' })
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

test('each job of a group has its events, and each endpoint one delivery of each', async () => {
  const database = openTestDatabase()
  const [one, two] = [await createTestProject(database), await createTestProject(database)]
  const deps = { ...database, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  const add = (projectId: string, events: ('job.created' | 'audit.event')[]) =>
    createWebhook(deps, { projectId, url: 'https://example.com', description: '', events })
  const endpoints = [await add(one.id, []), await add(one.id, ['audit.event', 'job.created'])]
  const made = await Promise.all([one, one, two].map(({ id }) => create(database, id)))
  const jobs = made.map(({ body }) => JSON.parse(body))
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
  for (const { timestamp, data } of ofType('job.created')) expect(timestamp).toBe(data.job.createdAt)
  const acts = ofType('audit.event').map(({ data }) => data.auditEvent)
  const recorded = acts.filter(({ action }) => action === 'job.created')
  expect(recorded.map(({ target }) => target.id).sort()).toEqual([first.id, second.id])
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

test('an endpoint that is newer than the facts about its project receives the event of the job', async () => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  const facts = (await readJobProjects(database, [id])).get(id)!
  expect(facts.hasEndpoints).toBe(false)
  const deps = { ...database, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  await createWebhook(deps, { projectId: id, url: 'https://example.com', description: '', events: ['job.created'] })
  const query = vi.spyOn(database.pool, 'query')
  onTestFinished(() => query.mockRestore())

  const { body } = await create(database, id, { project: { ...facts, readAt: performance.now() } })
  expect(query).toHaveBeenCalledTimes(2)
  const listJobs = async () =>
    (await database.prisma.webhookEvent.findMany({ where: { projectId: id, type: 'job.created' } })).map(
      ({ payload }) => JSON.parse(payload).data.job,
    )
  expect(await listJobs()).toEqual([JSON.parse(body)])
  query.mockClear()
  await create(database, id, { project: (await readJobProjects(database, [id])).get(id)! })
  // One statement reads the facts, and one creates the job.
  expect(query).toHaveBeenCalledTimes(2)
  expect(await listJobs()).toHaveLength(2)
})

test('Postgres reuses the plans of the function, also after it was replaced', async () => {
  const { rows } = await openTestDatabase().pool.query("SELECT proconfig FROM pg_proc WHERE proname = 'create_jobs'")
  expect(rows).toEqual([{ proconfig: ['plan_cache_mode=force_generic_plan'] }])
})
