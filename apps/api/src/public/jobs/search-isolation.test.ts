import { type Database, openDatabase } from '@corrigenda/core/db'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { toRefusal } from '../../http/errors.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

/** Occupies a connection. On a busy machine, opening it can exceed the pool's limit. */
const hold = ({ pool }: Database) => vi.waitFor(() => pool.connect(), { timeout: 60_000 })

test('searches that occupy all their connections do not delay other requests', async () => {
  const search = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, waitMs: 500, onError: () => {} })
  const api = await openTestApi({ search })
  const held = await hold(search)
  onTestFinished(async () => {
    held.release()
    await search.close()
  })
  const list = `/v2/agent/${api.project.id}/jobs`
  const waiting = Array.from({ length: 20 }, () => api.get(`${list}?q=typo`))
  expect((await api.post({ prompt: 'Fix the typo.' })).statusCode).toBe(201)
  expect((await api.get(list)).statusCode).toBe(200)
  for (const response of await Promise.all(waiting)) {
    expect([response.statusCode, response.headers['x-error-code']]).toEqual([503, 'service_unavailable'])
  }
})

test('a statement that exceeds its limit is answered with 503', async () => {
  const { prisma, close } = openDatabase({
    ...{ url: inject('postgresUrl'), maxConnections: 1, statementMs: 50, onError: () => {} },
  })
  onTestFinished(close)
  const error: unknown = await prisma.$queryRaw`SELECT pg_sleep(60)`.catch((thrown: unknown) => thrown)
  expect(toRefusal(error)).toMatchObject({ status: 503, code: 'service_unavailable', retryAfterSeconds: 5 })
})

test('/readyz responds while requests occupy all connections', async () => {
  const main = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, waitMs: 500, onError: () => {} })
  const probe = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  const api = await openTestApi({ prisma: main.prisma, probe })
  const held = await hold(main)
  onTestFinished(async () => {
    held.release()
    await Promise.all([main.close(), probe.close()])
  })
  const checks = await Promise.all(Array.from({ length: 50 }, () => api.app.inject('/readyz')))
  expect(checks.map(({ statusCode }) => statusCode)).toEqual(checks.map(() => 200))
  expect((await api.get(`/v2/agent/${api.project.id}/jobs`)).statusCode).toBe(503)
})
