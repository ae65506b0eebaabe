import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { recordHeartbeat } from '../workers/record-heartbeat.ts'
import { addServiceGauges, openMetrics } from './index.ts'
import type { MetricsInput } from './open-metrics.ts'

async function open(input: Partial<MetricsInput> = {}) {
  const metrics = await openMetrics({ port: 0, version: '1.2.3', byProject: false, pools: {}, ...input })
  onTestFinished(metrics.close)
  const read = async (path = '/metrics') => (await fetch(`http://127.0.0.1:${metrics.port}${path}`)).text()
  return { ...metrics, read }
}

test('serves the metrics of the process and of the service', async () => {
  const { registry, read } = await open({ pools: { main: { totalCount: 5, idleCount: 3, waitingCount: 4 } } })
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  addServiceGauges(registry, database, { monthlyBudgetUsd: 100 })
  const text = await read()
  for (const line of [
    'corrigenda_build_info{version="1.2.3"} 1',
    'corrigenda_database_up 1',
    'corrigenda_queue_runs 1',
    'corrigenda_workers_alive 0',
    'corrigenda_monthly_budget_dollars 100',
    'corrigenda_jobs_created_total 1',
    'corrigenda_run_recoveries_total 0',
    'corrigenda_pool_connections{pool="main",state="busy"} 2',
    'corrigenda_pool_connections{pool="main",state="waiting"} 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(text).not.toContain(projectId)
  expect(await read('/')).toContain('/metrics')
})

test('labels the counters with the project only on request', async () => {
  const { registry, read } = await open({ byProject: true })
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  addServiceGauges(registry, database, { monthlyBudgetUsd: null })
  const text = await read()
  expect(text).toContain(`corrigenda_jobs_created_total{project="${projectId}"} 1\n`)
  expect(text).not.toContain('corrigenda_monthly_budget_dollars')
})

test('only the first endpoint of a process serves the events', async () => {
  const first = await open()
  const second = await open()
  await createTestRun(await openOwnTestDatabase())
  await second.close()
  expect(await first.read()).toContain('corrigenda_jobs_created_total 1\n')
  const third = await open()
  expect(await third.read()).not.toContain('corrigenda_jobs_created_total')
})

test('reads the database once for all metrics of a scrape', async () => {
  const { pool } = await openOwnTestDatabase()
  let statements = 0
  const counted = {
    query: (...args: unknown[]) => {
      statements += 1
      return Reflect.apply(pool.query, pool, args)
    },
  }
  const { registry, read } = await open()
  addServiceGauges(registry, { pool: counted as never }, { monthlyBudgetUsd: null })
  for (const expected of [1, 2]) {
    expect(await read()).toContain('corrigenda_database_up 1')
    expect(statements).toBe(expected)
  }
})

test('reports an unreachable database and omits what it would read', async () => {
  const url = inject('postgresUrl').replace(/\/corrigenda$/, '/missing')
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  onTestFinished(database.close)
  const { registry, read } = await open()
  addServiceGauges(registry, database, { monthlyBudgetUsd: 100 })
  const lines = (await read()).split('\n')
  expect(lines).toContain('corrigenda_database_up 0')
  const gauges = lines.filter((line) => /^corrigenda_(?:queue|active|worker|monthly|projects|database)/.test(line))
  expect(gauges).toEqual(['corrigenda_database_up 0'])
})

test('reads the queue, the workers, the spend and the limits', async () => {
  const { registry, read } = await open()
  const database = await openOwnTestDatabase()
  const { runId, projectId } = await createTestRun(database)
  await createTestRun(database, projectId)
  const later = await createTestRun(database, projectId)
  await database.prisma.run.update({ where: { id: runId }, data: { nextRunAt: new Date(Date.now() - 90_000) } })
  await database.prisma.run.update({ where: { id: later.runId }, data: { nextRunAt: new Date(Date.now() + 90_000) } })
  const costly = await createTestRun(database, projectId)
  const held = (await claim(database, costly.runId))!
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.25, turns: 1 }
  await saveTurn(database, held, { rows: [], files: [], usage, events: [], spentUsd: 0.25 })
  const worker = { host: 'h', pid: 1, version: '1', slots: 4, busy: 3, queue: 'redis', modelKind: 'anthropic' } as const
  for (const id of ['w-1', 'w-2', 'w-3']) {
    await recordHeartbeat(database, { id, ...worker, modelBaseUrl: 'https://x', models: [] })
  }
  await database.pool.query(`UPDATE workers SET seen_at = now() - interval '1 minute' WHERE id = 'w-3'`)
  await database.prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd: 0.3 } })
  addServiceGauges(registry, database, { monthlyBudgetUsd: null })
  const lines = [...(await read()).matchAll(/^corrigenda_(\w+) (\S+)$/gm)]
  const gauges = Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]))
  expect(gauges).toMatchObject({
    queue_runs: 3,
    queue_due_runs: 2,
    active_runs: 1,
    workers_alive: 2,
    worker_slots: 8,
    worker_slots_busy: 6,
    monthly_spend_dollars: 0.25,
    projects_near_budget: 1,
  })
  expect(gauges.queue_oldest_wait_seconds).toBeGreaterThanOrEqual(90)
  expect(gauges.database_size_bytes).toBeGreaterThan(1e6)
  expect(gauges.database_connections).toBeGreaterThan(0)
  expect(gauges.database_connections_max).toBeGreaterThanOrEqual(gauges.database_connections!)
})
