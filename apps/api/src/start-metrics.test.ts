import { openOwnTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { buildRequestWatch } from './http/watch-requests.ts'
import { startMetrics } from './start-metrics.ts'
import { openTestApi } from './test-support/open-test-api.ts'

test('counts requests by route, method and status, and never by path', async () => {
  const requests = buildRequestWatch()
  const api = await openTestApi({ requests })
  const { id } = (await api.post({ prompt: 'x' })).json()
  for (let n = 0; n < 3; n++) await api.get(`/v2/agent/${api.project.id}/job/${id}`)
  await api.get(`/v2/agent/${api.project.id}/job/job_unknown`)
  await api.app.inject({ method: 'GET', url: '/nowhere/a' })
  await api.app.inject({ method: 'GET', url: '/nowhere/b' })
  const own = await openOwnTestDatabase()
  const config = {
    databaseUrl: inject('postgresUrl'),
    monthlyBudgetUsd: null,
    metricsProjectLabel: false,
    metricsPort: 0,
  }
  const metrics = await startMetrics(config, { requests, events: api.deps.events, pools: { requests: own.pool } })
  onTestFinished(metrics.close)
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  const counts = text.split('\n').filter((line) => line.startsWith('corrigenda_http_request_duration_seconds_count'))
  const route = 'route="/v2/agent/:projectId/job'
  const toLine = (labels: string, count: number) => `corrigenda_http_request_duration_seconds_count{${labels}} ${count}`
  expect(counts.sort()).toEqual(
    [
      toLine(`method="POST",${route}",status="201"`, 1),
      toLine(`method="GET",${route}/:id",status="200"`, 3),
      toLine(`method="GET",${route}/:id",status="404"`, 1),
      toLine(`method="any",route="unknown",status="404"`, 2),
    ].sort(),
  )
  expect(text).toContain('corrigenda_event_streams 0\n')
  expect(text).toContain('corrigenda_workers_alive 0\n')
  expect(text).not.toContain(id)
  expect(text).not.toContain(api.project.id)
  const byProject = { ...config, metricsProjectLabel: true }
  const labelled = await startMetrics(byProject, { requests, events: api.deps.events, pools: {} })
  onTestFinished(labelled.close)
  const counters = await (await fetch(`http://127.0.0.1:${labelled.port}/metrics`)).text()
  expect(counters).toContain(`corrigenda_jobs_created_total{project="${api.project.id}"} 1\n`)
  // The port of the API serves no metrics.
  expect((await api.app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(404)
})

test('the buckets of the durations are cumulative and contain every request', () => {
  const requests = buildRequestWatch()
  const hooks: ((request: unknown, reply: unknown, done: () => void) => void)[] = []
  requests.watch({ addHook: (_: string, hook: never) => hooks.push(hook) } as never)
  const respond = (elapsedTime: number) =>
    hooks[0]?.({ method: 'GET', routeOptions: { url: '/a' } }, { statusCode: 200, elapsedTime }, () => {})
  for (const ms of [1, 5, 6, 20_000]) respond(ms)
  expect(requests.read()).toEqual([
    {
      labels: { method: 'GET', route: '/a', status: '200' },
      counts: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      sum: expect.closeTo(20.012, 6),
    },
  ])
})
