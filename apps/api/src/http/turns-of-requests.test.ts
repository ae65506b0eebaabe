import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { DatabaseMonitor } from '@corrigenda/core/db'
import { claim, freeze } from '@corrigenda/core/internal/test-support/create-test-run'
import { finishRun, recordPush } from '@corrigenda/core/runs'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'
import { openUsersApi, PASSWORD } from '../test-support/open-users-api.ts'

test('requests that wait for a lock of their project do not use up the database connections of others', async () => {
  const api = await openTestApi({ concurrency: { requests: 10, searches: 3 } })
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const { id } = (await api.post({ prompt: 'x' })).json()
  const holder = await api.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT lock_quota($1, true)', [api.project.id])
  // More than the connections of the test's pool.
  const creates = Array.from(
    { length: 15 },
    async (_, n) => await api.post({ prompt: 'x' }, { headers: { 'idempotency-key': `key-${n}` } }),
  )
  const message = { method: 'POST', headers: { authorization: `Bearer ${api.key}` }, payload: { prompt: 'x' } } as const
  const messages = Array.from(
    { length: 15 },
    async () => await api.app.inject({ ...message, url: `/v2/agent/${api.project.id}/job/${id}/message` }),
  )
  const countWaiting = async () =>
    (await holder.query('SELECT count(DISTINCT pid)::int AS n FROM pg_locks WHERE NOT granted')).rows[0].n
  // The creations of a project wait together, and two messages have turns.
  await expect.poll(countWaiting, { timeout: 10_000 }).toBe(3)
  const headers = { authorization: `Bearer ${key}` }
  const url = `/v2/agent/${other.id}/jobs`
  const lists = await Promise.all(Array.from({ length: 5 }, () => api.app.inject({ url, headers })))
  expect(lists.map(({ statusCode }) => statusCode)).toEqual(lists.map(() => 200))
  expect(await countWaiting()).toBe(3)
  await holder.query('COMMIT')
  holder.release()
  const statuses = (await Promise.all([...creates, ...messages])).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([...creates.map(() => 201), ...messages.map(() => 200)])
})

test('a request that waits for a password check has no database time limit meanwhile', async () => {
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
  const api = await openUsersApi({ monitor })
  let pending = 6
  const signIns = Array.from({ length: pending }, async (_, n) => {
    const body = { email: `user-${n}@example.com`, password: PASSWORD }
    const { statusCode } = await api.ask('POST', '/dashboard/api/sign-in', { body })
    pending -= 1
    return statusCode
  })
  // Only two passwords are checked at the same time.
  await expect.poll(() => pending < 6 && pending > 0 && watched.size === 0, { interval: 5, timeout: 20_000 }).toBe(true)
  expect(await Promise.all(signIns)).toEqual(signIns.map(() => 401))
})

test('a cancel request that waits for a worker takes no turn', async () => {
  const api = await openTestApi({ concurrency: { requests: 20, searches: 3 } })
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
  expect(pending).toBe(2)
  for (const { held } of cancels) await finishRun(api.database, held, { kind: 'no_changes', summary: '', checks: [] })
  const statuses = (await Promise.all(cancels.map(({ ended }) => ended))).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([409, 409])
})

test('at most two passwords are checked at the same time, from all addresses', async () => {
  const api = await openUsersApi()
  const { scrypt } = crypto
  let [running, most, all] = [0, 0, 0]
  const count = (...args: Parameters<typeof scrypt>) => {
    const done = args.pop() as (error: Error | null, key: Buffer) => void
    running += 1
    all += 1
    most = Math.max(most, running)
    const call = scrypt as (...rest: unknown[]) => void
    call(...args, (error: Error | null, key: Buffer) => {
      running -= 1
      done(error, key)
    })
  }
  const replace = (value: typeof scrypt) => {
    crypto.scrypt = value
    syncBuiltinESMExports()
  }
  replace(count as typeof scrypt)
  onTestFinished(() => replace(scrypt))
  const signIns = Array.from({ length: 6 }, async (_, n) => {
    const body = { email: `user-${n}@example.com`, password: PASSWORD }
    return (await api.ask('POST', '/dashboard/api/sign-in', { body, address: `192.0.2.${n}` })).statusCode
  })
  expect(await Promise.all(signIns)).toEqual(signIns.map(() => 401))
  expect([all, most]).toEqual([6, 2])
})
