import { type Database, type DatabaseMonitor, openDatabase } from '@corrigenda/core/db'
import { claim, freeze } from '@corrigenda/core/internal/test-support/create-test-run'
import { finishRun, recordPush } from '@corrigenda/core/runs'
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
  // A caller has three searches at a time.
  const keys = await Promise.all([1, 2, 3].map(() => api.makeKey(api.project.id)))
  const waiting = keys.flatMap(({ key }) =>
    [1, 2, 3].map(() => api.get(`${list}?q=typo`, { authorization: `Bearer ${key}` })),
  )
  expect((await api.post({ prompt: 'Fix the typo.' })).statusCode).toBe(201)
  expect((await api.get(list)).statusCode).toBe(200)
  for (const response of await Promise.all(waiting)) {
    expect([response.statusCode, response.headers['x-error-code']]).toEqual([503, 'service_unavailable'])
  }
})

test('a statement that exceeds its limit is answered with 503', async () => {
  const { prisma, close } = openDatabase({
    url: inject('postgresUrl'),
    maxConnections: 1,
    statementMs: 50,
    onError: () => {},
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

test('requests that wait for a lock of their project do not use up the database connections of others', async () => {
  const api = await openTestApi()
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const { id } = (await api.post({ prompt: 'x' })).json()
  const holder = await api.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota:${api.project.id}`])
  // More than the connections of the test's pool.
  const creates = Array.from(
    { length: 15 },
    async (_, n) => await api.post({ prompt: 'x' }, { headers: { 'idempotency-key': `key-${n}` } }),
  )
  const message = { method: 'POST', headers: { authorization: `Bearer ${api.key}` }, payload: { prompt: 'x' } } as const
  const messages = Array.from(
    { length: 5 },
    async () => await api.app.inject({ ...message, url: `/v2/agent/${api.project.id}/job/${id}/message` }),
  )
  const countWaiting = async () =>
    (await holder.query('SELECT count(DISTINCT pid)::int AS n FROM pg_locks WHERE NOT granted')).rows[0].n
  // Two creations of the project, and the messages. Other tests can wait for locks, too.
  await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(7)
  const headers = { authorization: `Bearer ${key}` }
  const url = `/v2/agent/${other.id}/jobs`
  const lists = await Promise.all(Array.from({ length: 5 }, () => api.app.inject({ url, headers })))
  expect(lists.map(({ statusCode }) => statusCode)).toEqual(lists.map(() => 200))
  expect(await countWaiting()).toBeGreaterThanOrEqual(7)
  await holder.query('COMMIT')
  holder.release()
  const statuses = (await Promise.all([...creates, ...messages])).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([...creates.map(() => 201), ...messages.map(() => 200)])
})

test('a cancel request that waits for a worker has no time limit meanwhile', async () => {
  const watched = new Set<unknown>()
  const monitor: DatabaseMonitor = {
    isUp: true,
    watch(cut) {
      watched.add(cut)
      return () => watched.delete(cut)
    },
    run: (work) => work(),
    close: async () => {},
  }
  const api = await openTestApi({ monitor })
  const cancels = await Promise.all(
    [1, 2].map(async () => {
      const { id } = (await api.post({ prompt: 'x' })).json()
      const { id: runId } = await api.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
      const held = (await claim(api.database, runId))!
      await freeze(api.database, held)
      await recordPush(api.database, held, { branch: `corrigenda/${id}`, commit: '1'.repeat(40) })
      const headers = { authorization: `Bearer ${api.key}` }
      const url = `/v2/agent/${api.project.id}/job/${id}/cancel`
      const ended = (async () => await api.app.inject({ method: 'POST', url, headers }))()
      return { runId, held, ended }
    }),
  )
  const isAsked = ({ cancelRequestedAt }: { cancelRequestedAt: Date | null }) => cancelRequestedAt !== null
  const readRuns = () => api.database.prisma.run.findMany({ where: { id: { in: cancels.map(({ runId }) => runId) } } })
  await expect.poll(async () => (await readRuns()).every(isAsked)).toBe(true)
  let pending = cancels.length
  for (const { ended } of cancels) void ended.then(() => (pending -= 1))
  expect((await api.get(`/v2/agent/${api.project.id}/jobs`)).statusCode).toBe(200)
  expect([pending, watched.size]).toEqual([2, 0])
  for (const { held } of cancels) await finishRun(api.database, held, { kind: 'no_changes', summary: '', checks: [] })
  const statuses = (await Promise.all(cancels.map(({ ended }) => ended))).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([409, 409])
})
