import { CreateAgentJobRequest } from '@corrigenda/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { type Database, openDatabase } from '../db/open-database.ts'
import type { RunQueue } from '../queue/queue.ts'
import { openLog } from '../runtime/open-log.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import type { QuotaError } from './count-quota.ts'
import { type CreateJobDeps, createJob } from './create-job.ts'
import { getJob } from './get-job.ts'

const log = openLog({ level: 'silent', secrets: [] })
const request = CreateAgentJobRequest.parse({ prompt: 'Fix the typo.' })

function buildDeps(database: Database, limit = 100, queue: Partial<RunQueue> = {}): CreateJobDeps {
  const idle: Pick<RunQueue, 'wakeWorker'> = { wakeWorker: async () => {} }
  return {
    prisma: database.prisma,
    pool: database.pool,
    queue: { ...idle, ...queue },
    log,
    defaultModel: 'm-1',
    quota: { limit, windowSeconds: 3600 },
  }
}

test('creates an active job that has no pull request link and that only its project can read', async () => {
  const database = openTestDatabase()
  const [project, other] = [await createTestProject(database), await createTestProject(database)]
  let woken = 0
  const deps = buildDeps(database, 100, {
    wakeWorker: async () => {
      woken += 1
    },
  })
  const { job, quota } = await createJob(
    { ...deps, audit: COMMAND_LINE },
    { projectId: project.id, request, idempotencyKey: null },
  )
  expect(job).toMatchObject({
    status: 'active',
    phase: 'queued',
    prLink: null,
    archivedAt: null,
    model: 'm-1',
    source: { ref: null },
  })
  expect(quota).toMatchObject({ limit: 100, remaining: 99 })
  expect(woken).toBe(1)
  expect(await getJob(deps, { projectId: project.id, id: job.id })).toEqual(job)
  await expect(getJob(deps, { projectId: other.id, id: job.id })).rejects.toMatchObject({ code: 'not_found' })
})

test('creates a job when the queue is unavailable', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const deps = buildDeps(database, 100, { wakeWorker: () => Promise.reject(new Error('away')) })
  const { job } = await createJob(
    { ...deps, audit: COMMAND_LINE },
    { projectId: project.id, request, idempotencyKey: null },
  )
  expect(job.status).toBe('active')
})

test('frees quota as each use leaves the window', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const deps = buildDeps(database, 2)
  const create = () =>
    createJob({ ...deps, audit: COMMAND_LINE }, { projectId: project.id, request, idempotencyKey: null })
  const first = (await create()).job
  await create()
  await expect(create()).rejects.toMatchObject({ code: 'quota_exceeded' })
  // A trigger protects a run's creation time. The test disables it to simulate elapsed time.
  await database.prisma.$transaction([
    database.prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
    database.prisma
      .$executeRaw`UPDATE runs SET created_at = now() - interval '3590 seconds' WHERE job_id = ${first.id}`,
  ])
  const refusal = await create().catch((error: QuotaError) => error)
  expect((refusal as QuotaError).quota.resetSeconds).toBeLessThanOrEqual(10)
  await database.prisma.$transaction([
    database.prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
    database.prisma
      .$executeRaw`UPDATE runs SET created_at = now() - interval '3601 seconds' WHERE job_id = ${first.id}`,
  ])
  await create()
})

test('replays the response for an idempotency key without using quota and rejects a different body', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const deps = buildDeps(database, 1)
  const input = { projectId: project.id, request, idempotencyKey: 'k-1' }
  const first = await createJob({ ...deps, audit: COMMAND_LINE }, input)
  const again = await createJob({ ...deps, audit: COMMAND_LINE }, input)
  expect(again).toEqual({ job: first.job, replayed: true, quota: null })
  // The clock of this process does not decide when a key expires.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 3_600_000 })
  const later = await createJob({ ...deps, audit: COMMAND_LINE }, input).finally(() => vi.useRealTimers())
  expect(later).toEqual(again)
  const other = CreateAgentJobRequest.parse({ prompt: 'Something else.' })
  await expect(createJob({ ...deps, audit: COMMAND_LINE }, { ...input, request: other })).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  })
  await expect(createJob({ ...deps, audit: COMMAND_LINE }, { ...input, idempotencyKey: 'k-2' })).rejects.toMatchObject({
    code: 'quota_exceeded',
  })
  await database.prisma.idempotencyKey.updateMany({
    where: { projectId: project.id },
    data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
  })
  await expect(createJob({ ...deps, audit: COMMAND_LINE }, input)).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('a second request with the same idempotency key waits for the first one and gets its response', async () => {
  const database = await openOwnTestDatabase()
  const project = await createTestProject(database)
  const other = openDatabase({ url: database.url, maxConnections: 2, onError: () => {} })
  onTestFinished(() => other.close())
  const input = { projectId: project.id, request, idempotencyKey: 'same' }
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota:${project.id}`])
  const requests = [database, other].map((each) => createJob({ ...buildDeps(each), audit: COMMAND_LINE }, input))
  try {
    const waiting = () =>
      holder.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    await expect.poll(async () => (await waiting()).rowCount).toBe(2)
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  const [first, second] = await Promise.all(requests)
  expect([first?.replayed, second?.replayed].sort()).toEqual([false, true])
  expect(first?.job).toEqual(second?.job)
})

test('asDraft is an alias of draft, and a request in which both differ is rejected', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const create = async (draft: { draft?: boolean; asDraft?: boolean }) => {
    const input = { projectId: project.id, request: { ...request, ...draft }, idempotencyKey: null }
    const { id } = (await createJob({ ...buildDeps(database), audit: COMMAND_LINE }, input)).job
    return (await database.prisma.job.findUniqueOrThrow({ where: { id } })).options
  }
  expect(await create({})).toEqual({})
  expect(await create({ asDraft: true })).toEqual({ draft: true })
  expect(await create({ asDraft: false })).toEqual({ draft: false })
  expect(await create({ draft: true })).toEqual({ draft: true })
  expect(await create({ draft: false, asDraft: false })).toEqual({ draft: false })
  for (const draft of [true, false]) {
    await expect(create({ draft, asDraft: !draft })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('asDraft'),
    })
  }
})

test('the job has the model id that an alias in the request or in the project settings stands for', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const deps = { audit: COMMAND_LINE, ...buildDeps(database), modelAliases: { sonnet: 'm-sonnet' } }
  const create = async (model?: string) => {
    const asked = { ...request, ...(model === undefined ? {} : { model }) }
    return (await createJob(deps, { projectId: project.id, request: asked, idempotencyKey: null })).job
  }
  expect(await create()).toMatchObject({ model: 'm-1' })
  expect(await create('sonnet')).toMatchObject({ model: 'm-sonnet' })
  await expect(create('opus')).rejects.toMatchObject({ code: 'invalid_request' })
  await database.prisma.project.update({
    where: { id: project.id },
    data: { settings: { policy: { model: 'sonnet' } } },
  })
  expect(await create()).toMatchObject({ model: 'm-sonnet' })
  expect(await create('m-2')).toMatchObject({ model: 'm-2' })
})
