import { COMMAND_LINE } from '@corrigenda/core/audit'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { createJob, getJob } from '@corrigenda/core/jobs'
import { readClocks } from '@corrigenda/core/leases'
import { createProject } from '@corrigenda/core/projects'
import { claimRun } from '@corrigenda/core/runs'
import { openLog } from '@corrigenda/core/runtime'
import { GitHttpError } from '@corrigenda/git/http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildGitHub } from '../git-host/github/build-github.ts'
import { createTestDatabase } from '../test-support/create-test-database.ts'
import { handleRun, type RunDeps } from './handle-run.ts'
import { holdRun, watchHeldRuns } from './hold-run.ts'
import { ignorePoints } from './run-point.ts'

const log = openLog({ level: 'silent', secrets: [] })
const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }

let own: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase({ url: own.url, maxConnections: 5, onError: () => {} })
})
// The workers of later tests would claim the runs.
afterEach(() => database.pool.query('TRUNCATE projects CASCADE'))
afterAll(async () => {
  await database.close()
  await own.drop()
})

/** Creates a run, and a worker whose Git host fails with this error. */
async function open(error: Error, allowed = ['github.com']) {
  const project = await createProject(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: ['github.com'] },
    { name: 'test', repository: 'https://github.com/acme/docs', baseBranch: null },
  )
  const jobs = {
    audit: COMMAND_LINE,
    prisma: database.prisma,
    pool: database.pool,
    queue,
    log,
    defaultModel: 'm-1',
    quota: { limit: 100, windowSeconds: 3600 },
  }
  const created = await createJob(jobs, { projectId: project.id, request: { prompt: 'x' }, idempotencyKey: null })
  const { id }: { id: string } = created.job
  const run = await database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
  const adapter = buildGitHub({ apiUrl: null, version: '0' })
  const deps: RunDeps = {
    runAgentWork: () => Promise.reject(new Error('not reached')),
    findSigningKey: async () => null,
    prisma: database.prisma,
    queue,
    log,
    owner: 'test',
    leaseSeconds: 20,
    maxAttempts: 10,
    projectConcurrency: 20,
    held: watchHeldRuns({ ...database, log, everyMs: 20 }),
    onPoint: ignorePoints,
    shutdown: new AbortController().signal,
    mirrors: {
      openSnapshot: () => Promise.reject(error),
      isTip: () => Promise.reject(error),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    },
    credentials: adapter.buildCredentials({ kind: 'token', token: 'token' }),
    openGitHost: adapter.openGitHost,
    gitHttp: {},
    callModel: () => Promise.reject(new Error('not reached')),
    prices: {},
    modelsWithoutCostBudget: [],
    monthlyBudgetUsd: null,
    budgets: { maxTurns: 1, maxInputTokens: 1, maxOutputTokens: 1, maxCostUsd: 1, maxSeconds: 1 },
    allowedRepositoryHosts: allowed,
    publicUrl: null,
    secrets: [],
  }
  return {
    deps,
    runId: run.id,
    work: () => handleRun(deps),
    run: () => database.prisma.run.findUniqueOrThrow({ where: { id: run.id } }),
    job: () => getJob(database, { projectId: project.id, id }),
    /** Makes the run due immediately. */
    skipWait: () =>
      database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() - interval '1 second' WHERE id = ${run.id}`,
  }
}

const secondsFromNow = (date: Date) => (date.getTime() - Date.now()) / 1000

test('waits as long as the host requests, at most an hour, without using an attempt', async () => {
  const short = await open(new GitHttpError('rate_limited', 'Slow down.', { retryAfterMs: 75_000 }))
  await short.work()
  const run = await short.run()
  expect(run).toMatchObject({ active: true, attempt: 1, releases: 1, leaseUntil: null })
  expect(secondsFromNow(run.nextRunAt)).toBeGreaterThan(60)
  expect(secondsFromNow(run.nextRunAt)).toBeLessThan(90)
  expect((await short.job()).phase).toBe('queued')

  const long = await open(new GitHttpError('rate_limited', 'Come back next year.', { retryAfterMs: 1e15 }))
  await long.work()
  expect(secondsFromNow((await long.run()).nextRunAt)).toBeLessThan(3_700)
})

test('fails the job when the host keeps asking it to wait', async () => {
  const service = await open(new GitHttpError('rate_limited', 'Slow down.', { retryAfterMs: 61_000 }))
  await database.prisma.run.updateMany({ data: { attempt: 23, releases: 23 } })
  await service.work()
  expect(await service.run()).toMatchObject({ active: true, releases: 24 })
  await service.skipWait()
  await service.work()
  expect(await service.job()).toMatchObject({
    status: 'failed',
    failure: { code: 'git_host_rate_limited', message: 'Slow down.' },
  })
})

test('retries after an outage with backoff and fails after five errors', async () => {
  const service = await open(new GitHttpError('server_error', 'The Git host is down.'))
  const waits: number[] = []
  for (let i = 0; i < 4; i += 1) {
    await service.work()
    waits.push(Math.round(secondsFromNow((await service.run()).nextRunAt)))
    await service.skipWait()
  }
  expect(waits.map((wait) => Math.round(wait / 5))).toEqual([1, 2, 4, 8])
  await service.work()
  expect(await service.job()).toMatchObject({
    status: 'failed',
    failure: { code: 'git_host_server_error', message: 'The Git host is down.' },
  })
})

test('does not count worker crashes as Git host errors', async () => {
  const service = await open(new GitHttpError('server_error', 'The Git host is down.'))
  for (let i = 0; i < 4; i += 1) {
    await claimRun(service.deps, { owner: 'dies' })
    await database.prisma.$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second'`
  }
  await service.work()
  const run = await service.run()
  expect(run).toMatchObject({ active: true, attempt: 5, failures: 1 })
  expect(Math.round(secondsFromNow(run.nextRunAt) / 5)).toBe(1)
})

test('fails immediately after a permanent error', async () => {
  const forbidden = await open(new GitHttpError('forbidden', 'The token may not read this repository.'))
  await forbidden.work()
  expect(await forbidden.job()).toMatchObject({ status: 'failed', failure: { code: 'git_host_forbidden' } })
  const elsewhere = await open(new Error('not reached'), ['github.example.com'])
  await elsewhere.work()
  expect(await elsewhere.job()).toMatchObject({ status: 'failed', failure: { code: 'repository_not_allowed' } })
})

test('retries after an unexpected error and keeps its message out of the job', async () => {
  const service = await open(new Error('secret detail'))
  for (let i = 0; i < 5; i += 1) {
    await service.work()
    if (i < 4) await service.skipWait()
  }
  const { failure } = await service.job()
  expect(failure?.code).toBe('internal_error')
  expect(failure?.message).not.toContain('secret detail')
})

test('detects an expired lease from the clocks before any timer fires', async () => {
  const service = await open(new Error('not reached'))
  const { deps } = service
  const claimedAt = readClocks()
  const claim = await claimRun(deps, { owner: 'test' })
  const held = holdRun(deps, claim!, { claimedAt })
  held.assertHeld()
  held.stop()
  // Simulates SIGSTOP and SIGCONT: time has passed since the claim was sent, and no timer has
  // fired.
  const lease = holdRun(deps, claim!, { claimedAt: { ...claimedAt, steady: claimedAt.steady - 21_000 } })
  expect(lease.signal.aborted).toBe(false)
  expect(() => lease.assertHeld()).toThrow('lost')
  expect(lease.signal.aborted).toBe(true)
  lease.stop()
})

test('continues after losing the queue lock if the lease is valid, and stops if it is not', async () => {
  const service = await open(new Error('not reached'))
  const claim = await claimRun(service.deps, { owner: 'test' })
  const [kept, taken] = [new AbortController(), new AbortController()]
  const before = await service.run()
  const held = holdRun(service.deps, claim!, { claimedAt: readClocks(), lockLost: kept.signal })
  kept.abort()
  await expect
    .poll(async () => (await service.run()).leaseUntil?.getTime())
    .toBeGreaterThan(before.leaseUntil!.getTime())
  expect(held.signal.aborted).toBe(false)
  held.stop()
  const zombie = holdRun({ ...service.deps, held: { add: () => () => {}, close: async () => {} } }, claim!, {
    claimedAt: readClocks(),
    lockLost: taken.signal,
  })
  await database.prisma.$executeRaw`UPDATE runs SET attempt = attempt + 1 WHERE id = ${service.runId}`
  taken.abort()
  await expect.poll(() => zombie.signal.aborted).toBe(true)
  expect(zombie.signal.reason).toMatchObject({ name: 'LostLeaseError' })
  zombie.stop()
})

test('delays a cancellation until the protected work is done', async () => {
  const service = await open(new Error('not reached'))
  const claim = await claimRun(service.deps, { owner: 'test' })
  let interrupt: (why: 'ended' | 'lost' | 'cancelled') => void = () => {}
  const add = (_run: unknown, onInterrupted: typeof interrupt) => {
    interrupt = onInterrupted
    return () => {}
  }
  const held = { add, close: async () => {} }
  const lease = holdRun({ ...service.deps, held }, claim!, { claimedAt: readClocks() })
  await lease.protect(async () => {
    interrupt('cancelled')
    expect(lease.signal.aborted).toBe(false)
  })
  expect(lease.signal.reason).toMatchObject({ name: 'CancelRequestedError' })
  lease.stop()
})

test('claims no runs during a shutdown', async () => {
  const service = await open(new Error('not reached'))
  await handleRun({ ...service.deps, shutdown: AbortSignal.abort() })
  expect((await service.run()).attempt).toBe(0)
})

test('stops the work when the lease expires while a renewal hangs', async () => {
  const service = await open(new Error('not reached'))
  const claim = await claimRun({ ...service.deps, leaseSeconds: 1 }, { owner: 'test' })
  const holder = await lockRow(service.runId)
  const lease = holdRun({ ...service.deps, leaseSeconds: 1 }, claim!, { claimedAt: readClocks() })
  await new Promise((resolve) => lease.signal.addEventListener('abort', resolve))
  expect(lease.signal.reason).toMatchObject({ name: 'LostLeaseError' })
  lease.stop()
  await holder.release()
})

/**
 * Locks the run's row from a separate connection, like a process that stopped inside a transaction.
 */
async function lockRow(runId: string) {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [runId])
  return {
    async release() {
      await client.query('ROLLBACK')
      client.release()
    },
  }
}
