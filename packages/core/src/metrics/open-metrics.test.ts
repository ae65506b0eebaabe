import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/open-database.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { addHistogram, addPool, addServiceFacts, openMetrics } from './index.ts'

async function open() {
  const metrics = await openMetrics({ port: 0, version: '1.2.3' })
  onTestFinished(metrics.close)
  const read = async (path = '/metrics') => (await fetch(`http://127.0.0.1:${metrics.port}${path}`)).text()
  return { ...metrics, read }
}

test('serves the metrics of the process and of the service', async () => {
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  const { registry, read } = await open()
  addServiceFacts(registry, database, { byProject: false, monthlyBudgetUsd: 100 })
  addPool(registry, { main: { totalCount: 5, idleCount: 3, waitingCount: 4 } })
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
  // Another scrape returns the same totals.
  expect((await read()).split('\n')).toContain('corrigenda_jobs_created_total 1')
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(text).not.toContain(projectId)
  expect(await read('/')).toContain('/metrics')
})

test('labels the counters with the project only on request', async () => {
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestRun(database)
  const { registry, read } = await open()
  addServiceFacts(registry, database, { byProject: true, monthlyBudgetUsd: null })
  const text = await read()
  expect(text).toContain(`corrigenda_jobs_created_total{project="${projectId}"} 1\n`)
  expect(text).not.toContain('corrigenda_monthly_budget_dollars')
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
  addServiceFacts(registry, { pool: counted as never }, { byProject: false, monthlyBudgetUsd: null })
  expect(await read()).toContain('corrigenda_database_up 1')
  expect(statements).toBe(1)
})

test('reports an unreachable database and omits its facts', async () => {
  const url = inject('postgresUrl').replace(/\/corrigenda$/, '/missing')
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  onTestFinished(database.close)
  const { registry, read } = await open()
  addServiceFacts(registry, database, { byProject: false, monthlyBudgetUsd: null })
  const lines = (await read()).split('\n')
  expect(lines).toContain('corrigenda_database_up 0')
  const facts = lines.filter((line) => /^corrigenda_(?!build_info|database_up)/.test(line))
  expect(facts).toEqual([])
})

test('formats a histogram that is counted elsewhere', async () => {
  const { registry, read } = await open()
  const series = { labels: { route: '/a' }, counts: [2, 0, 1], sum: 3.5 }
  addHistogram(registry, { name: 'x_seconds', help: 'X.', buckets: [0.1, 1], read: () => [series] })
  expect((await read()).split('\n').filter((line) => /(^| )x_seconds/.test(line))).toEqual([
    '# HELP x_seconds X.',
    '# TYPE x_seconds histogram',
    'x_seconds_bucket{route="/a",le="0.1"} 2',
    'x_seconds_bucket{route="/a",le="1"} 2',
    'x_seconds_bucket{route="/a",le="+Inf"} 3',
    'x_seconds_sum{route="/a"} 3.5',
    'x_seconds_count{route="/a"} 3',
  ])
})
