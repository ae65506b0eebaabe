import { openOwnTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startMetrics } from './start-metrics.ts'
import { openTestApi } from './test-support/open-test-api.ts'

test('counts requests by route, method and status, and never by path', async () => {
  const own = await openOwnTestDatabase()
  const config = {
    databaseUrl: inject('postgresUrl'),
    monthlyBudgetUsd: null,
    metricsProjectLabel: false,
    metricsPort: 0,
  }
  const metrics = await startMetrics(config, { events: { size: 0, heldBytes: 0 }, pools: { requests: own.pool } })
  onTestFinished(metrics.close)
  const api = await openTestApi({ requestDurations: metrics.requestDurations })
  const { id } = (await api.post({ prompt: 'x' })).json()
  for (let n = 0; n < 3; n++) await api.get(`/v2/agent/${api.project.id}/job/${id}`)
  await api.get(`/v2/agent/${api.project.id}/job/job_unknown`)
  await api.app.inject({ method: 'GET', url: '/nowhere/a' })
  await api.app.inject({ method: 'GET', url: '/nowhere/b' })
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  const counts = text.split('\n').filter((line) => line.startsWith('corrigenda_http_request_duration_seconds_count'))
  const toLine = (method: string, route: string, status: number, count: number) =>
    `corrigenda_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"} ${count}`
  const route = '/v2/agent/:projectId/job'
  expect(counts.sort()).toEqual(
    [
      toLine('POST', route, 201, 1),
      toLine('GET', `${route}/:id`, 200, 3),
      toLine('GET', `${route}/:id`, 404, 1),
      toLine('any', 'unknown', 404, 2),
    ].sort(),
  )
  expect(text).toContain('corrigenda_event_streams 0\n')
  expect(text).toContain('corrigenda_workers_alive 0\n')
  expect(text).toContain('corrigenda_jobs_created_total 1\n')
  expect(text).not.toContain(id)
  expect(text).not.toContain(api.project.id)
  // The port of the API serves no metrics.
  expect((await api.app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(404)
})
