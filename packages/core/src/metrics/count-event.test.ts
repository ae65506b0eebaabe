import type { CheckResult } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { finishDeployment } from '../deployments/record-deployment.ts'
import { claimNext, createTestDeployments } from '../deployments/test-support/create-test-deployment.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { createJob } from '../jobs/create-job.ts'
import { sendMessage } from '../jobs/send-message.ts'
import {
  claimPullRequestPoll,
  type PullRequestPoll,
  recordPullRequestPoll,
} from '../pull-requests/pull-request-polls.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { releaseRun } from '../runs/release-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { sweepRuns } from '../runs/sweep-runs.ts'
import { claim, createTestRun, endLease, freeze, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase, type TestDatabase } from '../test-support/open-test-database.ts'
import { watchCounts } from '../test-support/watch-counts.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { claimDeliveries } from '../webhooks/claim-deliveries.ts'
import { failHopeless } from '../webhooks/deliveries.ts'
import { createWebhook, updateWebhook } from '../webhooks/manage-webhooks.ts'
import { recordAttempt } from '../webhooks/record-attempt.ts'
import { countEvent, EVENT_COUNTERS } from './count-event.ts'

const CHECKS: CheckResult[] = [
  { name: 'links', status: 'passed', introduced: 0, preexisting: 0, findings: [] },
  { name: 'vale', status: 'skipped', introduced: 0, preexisting: 0, findings: [] },
]
const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 5, costUsd: 0.25, turns: 2 }
const LOST = { name: 'LostLeaseError' }
const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }

/** A job that one worker lost, one released, and one holds. */
async function workOnJob(database: TestDatabase) {
  const run = await createTestRun(database)
  const first = (await claim(database, run.runId))!
  await endLease(database, run.runId)
  const second = (await claim(database, run.runId))!
  await releaseRun(database, second, { reason: 'shutdown', afterMs: null })
  const third = (await claim(database, run.runId))!
  await saveTurn(database, third, { rows: [], files: [], usage: USAGE, events: [], spentUsd: USAGE.costUsd })
  return { ...run, first, held: third }
}

test('counts the ends of jobs and runs once, in the process whose write succeeded', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { first, held, projectId } = await workOnJob(database)
  await expect(finishRun(database, first, { kind: 'no_changes', summary: '', checks: [] })).rejects.toMatchObject(LOST)
  expect(await read()).toEqual({ jobs_created: 1 })
  await freeze(database, held)
  await recordPush(database, held, { branch: 'b', commit: 'c' })
  const pullRequest = {
    number: 1,
    url: 'https://github.com/acme/docs/pull/1',
    branch: 'b',
    state: 'open',
    draft: false,
  } as const
  await finishRun(database, held, { kind: 'changed', pullRequest })
  await expect(finishRun(database, held, { kind: 'changed', pullRequest })).rejects.toMatchObject(LOST)

  const failed = await createTestRun(database, projectId)
  const failing = (await claim(database, failed.runId))!
  await finishRun(database, failing, { kind: 'failed', code: 'checks_failed', message: 'm', checks: CHECKS })
  const waiting = await createTestRun(database, projectId)
  await cancelJob({ ...database, audit: COMMAND_LINE, queue }, { projectId, id: waiting.jobId })
  await cancelJob({ ...database, audit: COMMAND_LINE, queue }, { projectId, id: waiting.jobId })

  expect(await read()).toEqual({
    jobs_created: 3,
    'jobs_ended changed': 1,
    'jobs_ended failed checks_failed': 1,
    'jobs_ended cancelled cancelled': 1,
    'checks links passed': 1,
    'checks vale skipped': 1,
    'pull_requests opened': 1,
    'runs_ended create': 3,
    run_attempts: 4,
    run_recoveries: 1,
    'run_releases shutdown_or_wait': 1,
    run_worked_seconds: expect.any(Number),
    'model_turns m-1': 2,
    'model_tokens m-1 input': 100,
    'model_tokens m-1 output': 20,
    'model_tokens m-1 cache_write': 5,
    'model_cost_dollars m-1': 0.25,
  })
})

test('counts nothing for a transaction that is rolled back', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { runId } = await createTestRun(database)
  const held = (await claim(database, runId))!
  await database.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
  )
  await database.pool.query(`CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE OF outcome ON jobs
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`)
  await expect(finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] })).rejects.toThrow('refused')
  expect(await read()).toEqual({ jobs_created: 1 })
})

test('counts a job once that is created with the same idempotency key twice', async () => {
  const read = watchCounts(true)
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  const deps = {
    ...database,
    audit: COMMAND_LINE,
    queue,
    log: silent,
    defaultModel: 'm-1',
    quota: { limit: 9, windowSeconds: 60 },
  }
  for (let n = 0; n < 2; n++) await createJob(deps, { projectId, request: { prompt: 'x' }, idempotencyKey: 'k' })
  expect(await read()).toEqual({ [`jobs_created ${projectId}`]: 2 })
})

test('counts the run whose attempts the sweeper finds used up', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { runId } = await createTestRun(database)
  await claim(database, runId, { maxAttempts: 1 })
  await endLease(database, runId)
  const deps = { ...database, queue, log: silent, maxAttempts: 1, projectConcurrency: 20 }
  await Promise.all([sweepRuns(deps), sweepRuns(deps)])
  expect(await read()).toMatchObject({ 'jobs_ended failed attempts_exhausted': 1, 'runs_ended create': 1 })
})

test('counts the turns, tokens and costs of a follow-up once', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { runId, jobId, projectId } = await createTestRun(database)
  const work = async (id: string) => {
    const held = (await claim(database, id))!
    await saveTurn(database, held, { rows: [], files: [], usage: USAGE, events: [], spentUsd: USAGE.costUsd })
    await finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] })
  }
  await work(runId)
  const deps = { ...database, audit: COMMAND_LINE, log: silent, queue, messageQuota: { limit: 9, windowSeconds: 60 } }
  await sendMessage(deps, { projectId, id: jobId, request: { prompt: 'More.' }, idempotencyKey: null })
  await work((await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })).id)
  expect(await read()).toMatchObject({
    jobs_created: 1,
    'jobs_ended no_changes': 2,
    run_attempts: 2,
    'model_turns m-1': 4,
    'model_cost_dollars m-1': 0.5,
    'model_tokens m-1 input': 200,
    'model_tokens m-1 output': 40,
    'model_tokens m-1 cache_write': 10,
  })
})

test('counts the changes of a pull request', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { held, jobId } = await workOnJob(database)
  await freeze(database, held)
  await recordPush(database, held, { branch: 'b', commit: 'c' })
  const url = 'https://github.com/acme/docs/pull/1'
  const pullRequest = { number: 1, url, branch: 'b', state: 'open', draft: false } as const
  await finishRun(database, held, { kind: 'changed', pullRequest })
  let earlier: PullRequestPoll | null = null
  for (const state of ['closed', 'open', 'merged', 'merged'] as const) {
    await database.prisma.pullRequestWatch.update({ where: { jobId }, data: { nextPollAt: new Date(0) } })
    const poll = await claimPullRequestPoll(database)
    const late = { state: 'open', draft: true, checks: null, hasOpenRemarks: false } as const
    if (earlier) expect(await recordPullRequestPoll(database, earlier, late)).toBe(false)
    await recordPullRequestPoll(database, poll!, { state, draft: false, checks: null, hasOpenRemarks: false })
    earlier = poll
  }
  expect(await read()).toMatchObject({
    'pull_requests opened': 1,
    'pull_requests closed': 1,
    'pull_requests reopened': 1,
    'pull_requests merged': 1,
  })
})

test('counts deployments and webhook deliveries when they end', async () => {
  const read = watchCounts()
  const database = await openOwnTestDatabase()
  const { prisma } = database
  const { projectId } = await createTestDeployments(database, 1)
  const deployment = (await claimNext(database))!
  const success = { status: 'success', summary: 'Done.' } as const
  await finishDeployment(database, deployment, success)
  await expect(finishDeployment(database, deployment, success)).rejects.toMatchObject(LOST)
  expect(await read()).toMatchObject({ 'deployments success': 1 })

  const deps = { prisma, audit: COMMAND_LINE, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  const { id } = await createWebhook(deps, { projectId, url: 'https://example.com/', description: '', events: [] })
  const limits = { leaseSeconds: 45, endpointConcurrency: 9, projectConcurrency: 9, maxTries: 3 }
  const attempt = async (status: number, isLate = false) => {
    await prisma.$transaction((tx) => publishEvent(tx, { projectId, type: 'job.created', data: {} as never }))
    const [delivery] = await claimDeliveries({ ...deps, ...limits }, { owner: 'test', limit: 1 })
    if (isLate) await prisma.webhookDelivery.updateMany({ where: { id: delivery!.id }, data: { attempt: 2 } })
    const result = { kind: 'answered', status, retryAfterMs: null } as const
    const retries = { retrySeconds: [60], disableAfterSeconds: 60 }
    return recordAttempt({ ...deps, ...retries }, delivery!, { result, ms: 1, answer: '' })
  }
  await attempt(200)
  expect(await read()).toMatchObject({ 'webhook_deliveries delivered': 1 })
  await attempt(500)
  // The response 410 disables the endpoint, which fails its other deliveries.
  await attempt(410)
  expect(await read()).toMatchObject({ 'webhook_deliveries delivered': 1, 'webhook_deliveries failed': 2 })
  await updateWebhook(deps, { projectId, id, change: { disabled: false } })
  await attempt(500)
  await updateWebhook(deps, { projectId, id, change: { disabled: true } })
  expect(await read()).toMatchObject({ 'webhook_deliveries failed': 3 })
  await updateWebhook(deps, { projectId, id, change: { disabled: false } })
  await attempt(500)
  await prisma.webhookDelivery.updateMany({ where: { status: 'pending' }, data: { attempt: 9 } })
  await Promise.all([failHopeless(deps, { maxTries: 3 }), failHopeless(deps, { maxTries: 3 })])
  expect(await attempt(200, true)).toEqual({ kind: 'lost' })
  expect(await read()).toMatchObject({ 'webhook_deliveries delivered': 1, 'webhook_deliveries failed': 4 })
})

test('a value that cannot be counted fails nothing', async () => {
  const read = watchCounts()
  countEvent('corrigenda_jobs_created_total', { projectId: 'p', value: -1 })
  expect(await read()).toEqual({})
})

test('every counter has a name and a text that follow the conventions', () => {
  for (const [name, { help }] of Object.entries(EVENT_COUNTERS)) {
    expect([name, help]).toEqual([expect.stringMatching(/^corrigenda_[a-z_]+_total$/), expect.stringMatching(/\.$/)])
  }
})
