import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { AppError, LostLeaseError } from '../base/errors.ts'
import type { Database, PrismaDeps } from '../db/open-database.ts'
import { finishRun } from '../runs/finish-run.ts'
import { findFrozen } from '../runs/freeze-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { releaseRun } from '../runs/release-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun, endLease, freeze, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { cancelJob } from './cancel-job.ts'
import { sendMessage } from './send-message.ts'

const pushed = { branch: 'b', commit: 'c' }
const pullRequest = (id: string) =>
  ({ number: 1, url: `https://x/${id}`, branch: 'b', state: 'open', draft: false }) as const

async function open(database: Database = openTestDatabase()) {
  const run = await createTestRun(database)
  let woken = 0
  const deps = {
    audit: COMMAND_LINE,
    prisma: database.prisma,
    pool: database.pool,
    queue: {
      wakeWorker: async () => {
        woken += 1
      },
    },
  }
  const cancel = () => cancelJob(deps, { projectId: run.projectId, id: run.jobId })
  return { database, deps, run, woken: () => woken, cancel }
}

test('cancels a queued or running job immediately and permanently', async () => {
  for (const state of ['queued', 'claimed', 'frozen', 'dead'] as const) {
    const { database, run, cancel } = await open()
    const held = state === 'queued' ? null : await claim(database, run.runId)
    if (held && state === 'frozen') await freeze(database, held)
    if (state === 'dead') await endLease(database, run.runId)
    const job = await cancel()
    expect(job).toMatchObject({ status: 'failed', outcome: 'cancelled', failure: { code: 'cancelled' }, prLink: null })
    expect(await cancel()).toEqual(job)
    expect(await claim(database, run.runId)).toBeNull()
    if (!held) continue
    // Writes that would lead to a pull request are rejected.
    await expect(recordPush(database, held, pushed)).rejects.toBeInstanceOf(LostLeaseError)
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0, turns: 1 }
    await expect(saveTurn(database, held, { rows: [], files: [], usage, events: [] })).rejects.toBeInstanceOf(
      LostLeaseError,
    )
  }
})

test('waits for the worker when the job is opening its pull request', async () => {
  const { database, run, cancel, woken } = await open()
  const held = await claim(database, run.runId)
  await freeze(database, held!)
  await recordPush(database, held!, pushed)
  const refused = cancel().catch((error: unknown) => error)
  await expect
    .poll(async () => (await database.prisma.run.findUniqueOrThrow({ where: { id: run.runId } })).cancelRequestedAt)
    .not.toBeNull()
  await finishRun(database, held!, { kind: 'changed', pullRequest: pullRequest(run.jobId) })
  expect(await refused).toMatchObject({ code: 'job_ended' })
  // No worker is woken, because one already holds the run.
  expect(woken()).toBe(0)
  expect((await findFrozen(database, run.runId))?.outcome).toBe('changed')
})

test('wakes the next worker for a released job that has started opening its pull request', async () => {
  const { database, run, cancel, woken } = await open()
  const held = await claim(database, run.runId)
  await freeze(database, held!)
  await recordPush(database, held!, pushed)
  await releaseRun(database, held!, { reason: 'waiting', afterMs: 3_600_000 })
  expect(await claim(database, run.runId)).toBeNull()
  const answer = cancel()
  await expect.poll(woken).toBe(1)
  const resolving = await claim(database, run.runId)
  expect(resolving).toMatchObject({ interruptedPublish: 'cancelled' })
  await finishRun(database, resolving!, { kind: 'cancelled', branchRemoved: true })
  expect(await answer).toMatchObject({ outcome: 'cancelled', source: { ref: null } })
})

test('cancels a follow-up that starts while the request waits for the ending run', async () => {
  const { database, deps, run, cancel } = await open(await openOwnTestDatabase())
  const key = { projectId: run.projectId, id: run.jobId }
  const messages = { ...deps, log: silent, messageQuota: { limit: 10, windowSeconds: 3600 } }
  await sendMessage(messages, { ...key, request: { prompt: 'Also the index.' }, idempotencyKey: null })
  const held = (await claim(database, run.runId))!
  await freeze(database, held)
  await recordPush(database, held, pushed)
  let answer: ReturnType<typeof cancel> | null = null
  const ending = database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM runs WHERE id = ${run.runId} FOR UPDATE`
    // Both wait for the row lock, and the run ends first.
    const finished = finishRun(database, held, { kind: 'changed', pullRequest: pullRequest(run.jobId) })
    await expect.poll(() => countWaiting(database)).toBe(1)
    answer = cancel()
    await expect.poll(() => countWaiting(database)).toBe(2)
    return { finished }
  })
  await (await ending).finished
  expect(await answer).toMatchObject({ status: 'failed', outcome: 'cancelled' })
  expect(await database.prisma.run.count({ where: { jobId: run.jobId, active: true } })).toBe(0)
})

const countWaiting = async ({ prisma }: PrismaDeps) => {
  const [row] = await prisma.$queryRaw<{ n: bigint }[]>`
    SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%runs%'`
  return Number(row?.n)
}

test('cancels a job even if the Git host has requested a delay', async () => {
  const { database, run, cancel } = await open()
  const held = await claim(database, run.runId)
  await freeze(database, held!)
  await recordPush(database, held!, pushed)
  const answer = cancel()
  await expect
    .poll(async () => (await database.prisma.run.findUniqueOrThrow({ where: { id: run.runId } })).cancelRequestedAt)
    .not.toBeNull()
  await releaseRun(database, held!, { reason: 'waiting', afterMs: 3_600_000 })
  const resolving = await claim(database, run.runId)
  await finishRun(database, resolving!, { kind: 'cancelled' })
  expect(await answer).toMatchObject({ outcome: 'cancelled' })
})

test('returns the outcome of a run that ends between two reads of the waiting request', async () => {
  const { database, deps, run } = await open()
  const held = await claim(database, run.runId)
  await freeze(database, held!)
  await recordPush(database, held!, pushed)
  let finished: Promise<unknown> | null = null
  const prisma = database.prisma.$extends({
    query: {
      run: {
        async findFirst({ args, query }) {
          finished ??= finishRun(database, held!, { kind: 'cancelled' })
          await finished
          return query(args)
        },
      },
    },
  }) as unknown as Database['prisma']
  const job = await cancelJob({ ...deps, prisma }, { projectId: run.projectId, id: run.jobId })
  expect(job).toMatchObject({ outcome: 'cancelled' })
})

test('a request during the opening of the pull request does not wait for a follow-up that was sent later', async () => {
  const { database, deps, run, cancel } = await open()
  const key = { projectId: run.projectId, id: run.jobId }
  const messages = { ...deps, log: silent, messageQuota: { limit: 10, windowSeconds: 3600 } }
  const held = (await claim(database, run.runId))!
  await freeze(database, held)
  await recordPush(database, held, pushed)
  const refused = cancel().catch((error: unknown) => error)
  await expect
    .poll(async () => (await database.prisma.run.findUniqueOrThrow({ where: { id: run.runId } })).cancelRequestedAt)
    .not.toBeNull()
  await sendMessage(messages, { ...key, request: { prompt: 'Also the index.' }, idempotencyKey: null })
  await finishRun(database, held, { kind: 'changed', pullRequest: pullRequest(run.jobId) })
  expect(await refused).toMatchObject({ code: 'job_ended', message: expect.stringContaining('later message') })
  expect(await database.prisma.run.count({ where: { jobId: run.jobId, active: true } })).toBe(1)
})

test('rejects a request to cancel a job that ended with a different outcome or does not exist', async () => {
  const { database, deps, run, cancel } = await open()
  const other = await createTestProject(database)
  await expect(cancelJob(deps, { projectId: other.id, id: run.jobId })).rejects.toMatchObject({ code: 'not_found' })
  await finishRun(database, (await claim(database, run.runId))!, { kind: 'no_changes', summary: '', checks: [] })
  const error = await cancel().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'job_ended' })
})

test("rejects a request to cancel another project's job, even while it is opening its pull request", async () => {
  const { database, deps, run } = await open()
  const other = await createTestProject(database)
  const held = await claim(database, run.runId)
  const steal = () => cancelJob(deps, { projectId: other.id, id: run.jobId })
  await expect(steal()).rejects.toMatchObject({ code: 'not_found' })
  await freeze(database, held!)
  await recordPush(database, held!, pushed)
  await expect(steal()).rejects.toMatchObject({ code: 'not_found' })
  const { active, cancelRequestedAt } = await database.prisma.run.findUniqueOrThrow({ where: { id: run.runId } })
  expect({ active, cancelRequestedAt }).toEqual({ active: true, cancelRequestedAt: null })
})
