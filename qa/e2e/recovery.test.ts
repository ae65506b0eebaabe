import { scriptPrompt } from '@corrigenda/testkit'
import {
  type BackendKind,
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

describe.each(['redis', 'postgres'] as const)('recovery on %s', (kind) => {
  let service: TestService
  beforeEach(async () => {
    service = await openTestService(kind)
  })
  afterEach(() => service.close())

  test('two workers run 6 jobs on one repository and open 6 pull requests', async () => {
    const workers = [{ concurrency: 2 }, { concurrency: 2 }]
    for (const worker of workers) await service.startWorker(worker)
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, n) => service.create(scriptPrompt(`Job ${n}`, [editPage(n, `By job ${n}.`)]))),
    )
    const jobs = []
    for (const { id } of created) jobs.push(await service.ended(id))
    expect(jobs.filter((job) => job.status === 'completed')).toHaveLength(6)
    expect(new Set(jobs.map((job) => job.prLink)).size).toBe(6)
    const owners = await service.database.pool.query(
      "SELECT data->>'attempt' AS attempt, count(*)::int AS n FROM job_events WHERE type = 'job.started' GROUP BY 1",
    )
    expect(owners.rows).toEqual([{ attempt: '1', n: 6 }])
    const claims = service.lines.filter((line) => line.includes('"run claimed"')).length
    expect(claims).toBe(6)
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
  })

  test('releases a run when its worker shuts down, and another worker continues the conversation', async () => {
    const first = await service.startWorker()
    service.model.hold('edit', (request) => request.messages.length === 3)
    const created = await service.create(
      scriptPrompt('Edit.', [[{ tool: 'view', input: { path: 'page-1.mdx' } }], editPage(1, 'Continued.')]),
    )
    await service.model.whenHeld('edit')
    await first.close()
    const released = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: created.id } })
    expect(released).toMatchObject({ active: true, leaseUntil: null, attempt: 1, releases: 1 })
    expect((await service.read(created.id)).phase).toBe('queued')
    service.model.release('edit')
    await service.startWorker()
    const job = await service.ended(created.id)
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
    // The first worker's view call was not repeated. The conversation takes no more turns than with
    // a single worker.
    expect(job.usage.turns).toBe(4)
    expect(await service.host.git(FULL, 'show', `corrigenda/${job.id}:page-1.mdx`)).toContain('Continued.')
    expect(service.model.violations()).toEqual([])
  })

  test('runs a job whose queue entry was lost', async () => {
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Late.')]))
    await expect.poll(() => service.queue.countWakeUps()).toBe(1)
    // The queue entry is lost, so only the sweeper can find the run.
    if (kind === 'redis') {
      const { Redis } = await import('ioredis')
      const redis = new Redis(service.config.redis?.url ?? '')
      await redis.flushdb()
      redis.disconnect()
    } else await service.database.pool.query('TRUNCATE bullmq.job CASCADE')
    await service.startWorker()
    expect(await service.ended(created.id)).toMatchObject({ status: 'completed' })
  })
})

/** Tests that do not depend on the queue backend. */
describe('recovery', () => {
  const kind: BackendKind = 'redis'
  let service: TestService
  beforeEach(async () => {
    service = await openTestService(kind)
  })
  afterEach(() => service.close())

  test('retries publishing without opening a second pull request when responses are lost', async () => {
    service.host.fault({ op: 'git.push', kind: 'apply-then-reset' })
    service.host.fault({ op: 'pulls.create', kind: 'apply-then-reset' })
    await service.startWorker()
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Once.')]))
    expect(await service.ended(created.id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    expect(service.host.pulls(FULL)).toHaveLength(1)
    expect(service.host.stats()).toMatchObject({ duplicates: {}, forced: [] })
  })

  test('adopts a pull request that users merged before the retry, without recreating its branch', async () => {
    const later = { 'retry-after': '75' }
    service.host.fault({ op: 'pulls.create', kind: 'apply-then-status', status: 429, headers: later })
    await service.startWorker()
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Merged.')]))
    const runs = () => service.database.prisma.run.findFirstOrThrow({ where: { jobId: created.id } })
    await expect.poll(async () => (await runs()).releases).toBe(1)
    expect((await runs()).frozen).not.toBeNull()
    await service.host.closePull(FULL, 1, { merge: true, deleteBranch: true })
    await service.database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() - interval '1 second'`
    const job = await service.ended(created.id)
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed', pullRequest: { number: 1, state: 'merged' } })
    expect(service.host.pulls(FULL)).toHaveLength(1)
    expect(await service.host.git(FULL, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main')
  })

  test('cancels a job immediately during a model turn and stops its worker', async () => {
    await service.startWorker()
    service.model.hold('x')
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Never.')]))
    await service.model.whenHeld('x')
    const job = await service.cancel(created.id)
    expect(job).toMatchObject({ status: 'failed', outcome: 'cancelled', failure: { code: 'cancelled' }, prLink: null })
    await expect.poll(() => service.model.requests.at(-1)?.end).toBe('aborted')
    service.model.release('x')
    expect(service.host.pulls(FULL)).toEqual([])
  })

  test('opens no pull request for a job cancelled during its push, and removes the branch', async () => {
    const pushed = defer()
    const cancelled = defer()
    await service.startWorker({}, async (point) => {
      if (point !== 'branch.pushed') return
      pushed.resolve()
      await cancelled.promise
    })
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Never.')]))
    await pushed.promise
    expect(await service.cancel(created.id)).toMatchObject({ outcome: 'cancelled', source: { ref: null } })
    cancelled.resolve()
    await expect.poll(() => branches(service)).toBe('refs/heads/main')
    expect(service.host.pulls(FULL)).toEqual([])
  })

  test('rejects a cancel request while the pull request is being opened, and completes the job', async () => {
    service.host.fault({ op: 'pulls.create', kind: 'delay', ms: 1_500 })
    const opening = defer()
    await service.startWorker({}, async (point) => {
      if (point === 'pull.opening') opening.resolve()
    })
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Late.')]))
    await opening.promise
    await expect(service.cancel(created.id)).rejects.toMatchObject({ code: 'job_ended' })
    expect(await service.read(created.id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    expect(service.host.pulls(FULL)).toHaveLength(1)
  })

  test('cancels a released job that is waiting to open its pull request, and removes the branch', async () => {
    service.host.fault({ op: 'pulls.create', kind: 'status', status: 429, headers: { 'retry-after': '3000' } })
    await service.startWorker()
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'Never.')]))
    const run = () => service.database.prisma.run.findFirstOrThrow({ where: { jobId: created.id } })
    await expect.poll(async () => (await run()).releases).toBe(1)
    expect(await service.cancel(created.id)).toMatchObject({
      outcome: 'cancelled',
      prLink: null,
      source: { ref: null },
    })
    expect(service.host.pulls(FULL)).toEqual([])
    expect(await branches(service)).toBe('refs/heads/main')
  })

  test('does not cancel a released job whose pull request has already been opened', async () => {
    const later = { 'retry-after': '3000' }
    service.host.fault({ op: 'pulls.create', kind: 'apply-then-status', status: 429, headers: later })
    await service.startWorker()
    const created = await service.create(scriptPrompt('Edit.', [editPage(1, 'There.')]))
    const run = () => service.database.prisma.run.findFirstOrThrow({ where: { jobId: created.id } })
    await expect.poll(async () => (await run()).releases).toBe(1)
    await expect(service.cancel(created.id)).rejects.toMatchObject({ code: 'job_ended' })
    expect(await service.read(created.id)).toMatchObject({ outcome: 'changed', pullRequest: { number: 1 } })
  })

  test("limits a project's concurrent runs and starts waiting runs without a sweep", async () => {
    let running = 0
    let most = 0
    const limits = { projectConcurrency: 2, concurrency: 6, sweepSeconds: 600 }
    await service.startWorker(limits, async (point) => {
      if (point === 'run.claimed') most = Math.max(most, ++running)
      if (point === 'run.finishing') running -= 1
    })
    const jobs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => service.create(scriptPrompt(`Job ${n}`, [editPage(n, `By job ${n}.`)]))),
    )
    for (const { id } of jobs) expect(await service.ended(id)).toMatchObject({ status: 'completed' })
    expect(most).toBe(2)
  })
})

const branches = (service: TestService) => service.host.git(FULL, 'for-each-ref', '--format=%(refname)', 'refs/heads')

/** Returns a promise with its resolve function. Node 20 has no `Promise.withResolvers`. */
function defer() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
