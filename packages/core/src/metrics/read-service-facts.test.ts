import type { CheckResult } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { cancelJob } from '../jobs/cancel-job.ts'
import { mergeMetricCounts } from '../retention/merge-metric-counts.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { releaseRun } from '../runs/release-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun, endLease, freeze } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase, type TestDatabase } from '../test-support/open-test-database.ts'
import { recordHeartbeat } from '../workers/record-heartbeat.ts'
import { COUNT_METRICS } from './count-metrics.ts'
import { readServiceFacts } from './read-service-facts.ts'
import { readCounts } from './test-support/read-counts.ts'

const CHECKS: CheckResult[] = [
  { name: 'links', status: 'passed', introduced: 0, preexisting: 0, findings: [] },
  { name: 'vale', status: 'skipped', introduced: 0, preexisting: 0, findings: [] },
]
const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 5, costUsd: 0.25, turns: 2 }

/** A job that one worker lost, one released, and one ended. */
async function runJob(database: TestDatabase, projectId?: string) {
  const run = await createTestRun(database, projectId)
  await claim(database, run.runId)
  await endLease(database, run.runId)
  const second = (await claim(database, run.runId))!
  await releaseRun(database, second, { reason: 'shutdown', afterMs: null })
  const third = (await claim(database, run.runId))!
  await saveTurn(database, third, { rows: [], files: [], usage: USAGE, events: [], spentUsd: USAGE.costUsd })
  return { ...run, held: third }
}

test('counts the events of jobs, runs and pull requests exactly once', async () => {
  const database = await openOwnTestDatabase()
  const { held, jobId, projectId } = await runJob(database)
  await freeze(database, held)
  await recordPush(database, held, { branch: 'b', commit: 'c' })
  const url = 'https://github.com/acme/docs/pull/1'
  await finishRun(database, held, {
    kind: 'changed',
    pullRequest: { number: 1, url, branch: 'b', state: 'open', draft: false },
  })
  const setState = (prState: 'open' | 'merged' | 'closed') =>
    database.prisma.job.update({ where: { id: jobId }, data: { prState } })
  await setState('closed')
  await setState('open')
  await setState('merged')
  await setState('merged')

  const failed = await createTestRun(database, projectId)
  const failing = (await claim(database, failed.runId))!
  await finishRun(database, failing, { kind: 'failed', code: 'checks_failed', message: 'm', checks: CHECKS })
  await expect(finishRun(database, failing, { kind: 'no_changes', summary: '', checks: [] })).rejects.toThrow()
  const waiting = await createTestRun(database, projectId)
  await cancelJob({ ...database, queue: { wakeWorker: async () => {} } }, { projectId, id: waiting.jobId })

  expect(await readCounts(database)).toEqual({
    jobs_created: 3,
    'jobs_ended changed': 1,
    'jobs_ended failed checks_failed': 1,
    'jobs_ended cancelled cancelled': 1,
    'checks links passed': 1,
    'checks vale skipped': 1,
    ...{ 'pull_requests opened': 1, 'pull_requests closed': 1, 'pull_requests reopened': 1, 'pull_requests merged': 1 },
    'runs create': 3,
    attempts: 4,
    recoveries: 1,
    'releases shutdown_or_wait': 1,
    worked_ms: expect.any(Number),
    'turns m-1': 2,
    'tokens m-1 input': 100,
    'tokens m-1 output': 20,
    'tokens m-1 cache_write': 5,
    'cost m-1': 0.25,
  })
})

test('counts nothing for a transaction that is rolled back', async () => {
  const database = await openOwnTestDatabase()
  const { jobId } = await createTestRun(database)
  const before = await readCounts(database)
  await database.prisma
    .$transaction(async (tx) => {
      await tx.job.update({ where: { id: jobId }, data: { status: 'completed', outcome: 'no_changes', phase: null } })
      throw new Error('undone')
    })
    .catch(() => {})
  expect(await readCounts(database)).toEqual(before)
})

test('counts deliveries and deployments when they end', async () => {
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  const { prisma } = database
  await prisma.webhookEndpoint.create({
    data: { id: 'whe_1', projectId, url: 'https://example.com', sealedSecret: Buffer.alloc(64, 1) },
  })
  for (const [n, status] of (['delivered', 'failed', 'failed'] as const).entries()) {
    await prisma.webhookEvent.create({ data: { id: `evt_${n}`, projectId, type: 'job.completed', payload: '{}' } })
    await prisma.webhookDelivery.create({ data: { id: `whd_${n}`, endpointId: 'whe_1', eventId: `evt_${n}` } })
    await prisma.webhookDelivery.update({ where: { id: `whd_${n}` }, data: { status, endedAt: new Date() } })
  }
  await database.pool.query(`INSERT INTO deployments (id, project_id, source) VALUES ('dep_1', $1, 'test')`, [
    projectId,
  ])
  await database.pool.query(`UPDATE deployments SET status = 'in_progress', started_at = now()`)
  await database.pool.query(`UPDATE deployments SET status = 'success', ended_at = now()`)
  expect(await readCounts(database)).toMatchObject({
    ...{ 'deliveries delivered': 1, 'deliveries failed': 2, 'deployments success': 1 },
  })
})

test('keeps the sums when many workers merge the rows while jobs are created', async () => {
  const database = await openOwnTestDatabase(10)
  const { projectId } = await createTestRun(database)
  const other = await createTestRun(database)
  const create = async () => {
    for (let n = 0; n < 15; n++) await createTestRun(database, projectId)
  }
  const merge = async () => {
    for (let n = 0; n < 10; n++) await mergeMetricCounts(database)
  }
  await Promise.all([create(), create(), merge(), merge(), merge()])
  await mergeMetricCounts(database)
  expect(await readCounts(database, true)).toEqual({
    [`${projectId} jobs_created`]: 31,
    [`${other.projectId} jobs_created`]: 1,
  })
  const { counts } = await readServiceFacts(database, { byProject: false })
  expect(counts).toEqual([{ project: null, metric: 'jobs_created', label: '', detail: '', value: 32 }])
  expect(await database.prisma.metricCount.count()).toBeLessThan(12)
})

test('reads the queue, the workers, the spend and the limits', async () => {
  const database = await openOwnTestDatabase()
  const { runId, projectId } = await createTestRun(database)
  await createTestRun(database, projectId)
  const later = await createTestRun(database, projectId)
  await database.prisma.run.update({ where: { id: runId }, data: { nextRunAt: new Date(Date.now() - 90_000) } })
  await database.prisma.run.update({ where: { id: later.runId }, data: { nextRunAt: new Date(Date.now() + 90_000) } })
  const { runId: costly } = await runJob(database, projectId)
  const worker = { host: 'h', pid: 1, version: '1', slots: 4, busy: 3, queue: 'redis', modelKind: 'anthropic' } as const
  for (const id of ['w-1', 'w-2', 'w-3']) {
    await recordHeartbeat(database, { id, ...worker, modelBaseUrl: 'https://x', models: [] })
  }
  await database.pool.query(`UPDATE workers SET seen_at = now() - interval '1 minute' WHERE id = 'w-3'`)
  await database.prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: 0.3 } })
  const facts = await readServiceFacts(database, { byProject: false })
  expect(costly).not.toBe(runId)
  expect(facts).toMatchObject({
    ...{ queued: 3, due: 2, active: 1, workers: 2, slots: 8, busy: 6, spent: 0.25, projectsNearBudget: 1 },
  })
  expect(facts.oldestWait).toBeGreaterThanOrEqual(90)
  expect(facts.databaseBytes).toBeGreaterThan(1e6)
  expect(facts.connections).toBeGreaterThan(0)
  expect(facts.maxConnections).toBeGreaterThanOrEqual(facts.connections)
})

test('every counter has a name that follows the conventions, and every count a counter', async () => {
  const database = await openOwnTestDatabase()
  const { rows } = await database.pool.query<{ source: string }>(
    `SELECT string_agg(prosrc, ' ') AS source FROM pg_proc WHERE prosrc LIKE '%metric_counts%'`,
  )
  const counted = [...(rows[0]?.source ?? '').matchAll(/'([a-z_]+)'/g)].map(([, name]) => name)
  for (const [metric, { name, help }] of Object.entries(COUNT_METRICS)) {
    expect(counted).toContain(metric)
    expect([name, help]).toEqual([expect.stringMatching(/^corrigenda_[a-z_]+_total$/), expect.stringMatching(/\.$/)])
  }
})
