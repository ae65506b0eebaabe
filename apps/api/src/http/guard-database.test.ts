import { randomUUID } from 'node:crypto'
import { openMonitor } from '@corrigenda/core/db'
import { openSeparateTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import type { LightMyRequestResponse } from 'fastify'
import { expect, inject, onTestFinished, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { listRoutes } from '../test-support/list-routes.ts'
import { openStallingProxy } from '../test-support/open-stalling-proxy.ts'
import { openTestApi } from '../test-support/open-test-api.ts'

/** Routes that do not need the database. */
const WITHOUT_DATABASE = /^GET (\/healthz|\/openapi\.json|\/reference(\/.*)?)$/

/** Opens the application with a database that can stop responding. */
async function open(options: { workLimitMs?: number } = {}) {
  const name = `guard_${randomUUID()}`
  const direct = new URL(inject('postgresUrl'))
  direct.searchParams.set('application_name', name)
  const proxy = await openStallingProxy(direct.href)
  // Of its own, so that the monitor detects the outage at once instead of after a time limit.
  const watched = await openStallingProxy(direct.href)
  // Slow responses on a busy machine must not count as an outage.
  const monitor = openMonitor({ url: watched.url, everyMs: 50, limitMs: 60_000, ...options })
  const api = await openTestApi({ monitor }, openSeparateTestDatabase(proxy.url))
  onTestFinished(async () => {
    proxy.close()
    watched.close()
    await monitor.close()
  })
  const stall = () => {
    proxy.stall()
    watched.close()
  }
  const list = `/v2/agent/${api.project.id}/jobs`
  /** Expects a 503 that was sent while the request's query was still running. */
  const expectAborted = (response: LightMyRequestResponse, code: string) => {
    expectError(response, 503, code)
    expect(response.headers['retry-after']).toBe('2')
    const { totalCount, idleCount } = api.database.pool
    expect(totalCount - idleCount).toBeGreaterThan(0)
  }
  return { api, name, monitor, list, stall, expectAborted }
}

test('every route that reads the database returns 503 with Retry-After while the database is down', async () => {
  const { api, monitor, stall } = await open()
  const routes = await listRoutes(api.app)
  expect(routes.length).toBeGreaterThan(80)
  stall()
  await expect.poll(() => monitor.isUp).toBe(false)
  const results = await Promise.all(
    routes.map(async (route) => {
      const [method = '', path = ''] = route.split(' ')
      const { statusCode, headers } = await api.app.inject({ method: method as 'GET', url: path.replaceAll(':', '') })
      return { route, verdict: `${statusCode} ${headers['x-error-code']} ${headers['retry-after']}` }
    }),
  )
  const others = results.filter(({ verdict }) => verdict !== '503 service_unavailable 2')
  expect(others.map(({ route }) => route)).toEqual(routes.filter((route) => WITHOUT_DATABASE.test(route)))
  expect(others.filter(({ verdict }) => !verdict.startsWith('200 '))).toEqual([])
  const unknown = await api.get('/no/such/path')
  expectError(unknown, 404, 'unknown_path')
  expectError(await api.app.inject({ method: 'PUT', url: '/v1/me' }), 405, 'method_not_allowed')
})

test("returns 503 if the database stops responding during a request's hooks", async () => {
  const { api, monitor, list, stall, expectAborted } = await open()
  await expect.poll(async () => (await api.get(list)).statusCode).toBe(200)
  stall()
  expect(monitor.isUp).toBe(true)
  expectAborted(await api.get(list), 'service_unavailable')
})

/** Sends a request whose handler waits for a row that another transaction has locked. */
async function cancelLockedJob({ api, name }: Pick<Awaited<ReturnType<typeof open>>, 'api' | 'name'>) {
  const other = await openTestApi()
  let id = ''
  const create = async () => {
    const response = await api.post({ prompt: 'x' })
    if (response.statusCode === 201) id = response.json().id
    return response.statusCode
  }
  // On a busy machine, the first attempt may be aborted.
  await expect.poll(create).toBe(201)
  const client = await other.database.pool.connect()
  onTestFinished(async () => {
    await client.query('ROLLBACK')
    client.release()
  })
  await client.query('SET idle_in_transaction_session_timeout = 0; BEGIN')
  await client.query('SELECT id FROM jobs WHERE id = $1 FOR UPDATE', [id])
  const cancellation = api.app.inject({
    method: 'POST',
    url: `/v2/agent/${api.project.id}/job/${id}/cancel`,
    headers: { authorization: `Bearer ${api.key}` },
  })
  const countWaiting = async () => {
    const { rows } = await other.database.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
      [name],
    )
    return rows.length
  }
  return { cancellation, countWaiting }
}

test("returns 503 if the database stops responding during a request's handler", async () => {
  const opened = await open({ workLimitMs: 600_000 })
  const { cancellation, countWaiting } = await cancelLockedJob(opened)
  await expect.poll(countWaiting).toBe(1)
  opened.stall()
  const aborted = await cancellation
  opened.expectAborted(aborted, 'outcome_unknown')
  // The transaction can still be committed.
  expect(aborted.json().error).toMatch(/may have been processed\. Check its result before you send/)
})

test("returns 503 if a request's handler exceeds the time limit while the database is up", async () => {
  const opened = await open({ workLimitMs: 1_000 })
  const { cancellation } = await cancelLockedJob(opened)
  opened.expectAborted(await cancellation, 'outcome_unknown')
  expect(opened.monitor.isUp).toBe(true)
})
