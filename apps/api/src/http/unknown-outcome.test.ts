import { AppError } from '@corrigenda/core/base'
import { InterruptedError, openDatabase, RolledBackError } from '@corrigenda/core/db'
import { expect, inject, onTestFinished, test } from 'vitest'
import { endJob } from '../test-support/end-job.ts'
import { expectError } from '../test-support/expect-error.ts'
import { openTestApi } from '../test-support/open-test-api.ts'
import { TooManyRequestsError } from './limit-requests.ts'
import { type FailedWork, type Refusal, toTrueRefusal } from './unknown-outcome.ts'

/** Opens the API on a database with a short limit on waiting for locks. */
async function open() {
  const url = inject('postgresUrl')
  const database = openDatabase({ url, maxConnections: 10, onError: () => {}, lockMs: 200 })
  onTestFinished(() => database.close())
  const api = await openTestApi({ prisma: database.prisma, pool: database.pool })
  /** Holds a lock until the end of the test, or until the returned function is called. */
  const hold = async (statement: string, value: string) => {
    const holder = await api.database.pool.connect()
    await holder.query('BEGIN')
    await holder.query(statement, [value])
    let isHeld = true
    const release = async () => {
      if (!isHeld) return
      isHeld = false
      await holder.query('ROLLBACK')
      holder.release()
    }
    onTestFinished(release)
    return release
  }
  const holdQuota = () => hold('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `quota:${api.project.id}`)
  const countJobs = () => api.database.prisma.job.count({ where: { projectId: api.project.id } })
  return { ...api, hold, holdQuota, countJobs }
}

test('a creation that waits too long for a lock is refused with certainty, and the reason is logged', async () => {
  const api = await open()
  const release = await api.holdQuota()
  const headers = { 'idempotency-key': 'k', 'x-request-id': 'locked' }
  const refused = await api.post({ prompt: 'x' }, { headers })
  expectError(refused, 503, 'service_unavailable')
  expect(refused.json().error).toMatch(/Nothing was changed\. Try again\.$/)
  expect(refused.headers['retry-after']).toBe('2')
  await release()
  expect(await api.countJobs()).toBe(0)
  const entries = api.lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'locked')
  expect(entries).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'request failed',
      code: 'service_unavailable',
      reason: expect.stringMatching(/lock timeout.* < SQLSTATE 55P03$/),
    }),
    expect.objectContaining({ level: 'warn', msg: 'request', status: 503, code: 'service_unavailable' }),
  ])
  expect((await api.post({ prompt: 'x' }, { headers })).statusCode).toBe(201)
})

test.each(['retry', 'message'])('a %s that waits too long for a lock is refused with certainty', async (route) => {
  const api = await open()
  const { id } = (await api.post({ prompt: 'x' })).json()
  if (route === 'retry') await endJob(api.database, id)
  await api.holdQuota()
  const refused = await api.app.inject({
    method: 'POST',
    url: `/v2/agent/${api.project.id}/job/${id}/${route}`,
    headers: { authorization: `Bearer ${api.key}` },
    ...(route === 'message' && { payload: { prompt: 'y' } }),
  })
  expectError(refused, 503, 'service_unavailable')
  expect(refused.json().error).toMatch(/Nothing was changed\. Try again\.$/)
})

test('a request with several transactions that waits too long for a lock may have been processed', async () => {
  const api = await open()
  const { id } = (await api.post({ prompt: 'x' })).json()
  await api.hold('SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE', id)
  const headers = { authorization: `Bearer ${api.key}` }
  const archive = { method: 'POST', url: `/v2/agent/${api.project.id}/job/${id}/archive`, headers } as const
  const unknown = await api.app.inject(archive)
  expectError(unknown, 503, 'outcome_unknown')
  expect(unknown.json().error).toMatch(/may have been processed\. Check its result before you send/)
})

test('a creation whose connection breaks before the commit was not processed', async () => {
  const api = await open()
  const release = await api.holdQuota()
  const headers = { 'idempotency-key': 'k' }
  const sent = (async () => await api.post({ prompt: 'x' }, { headers }))()
  const terminate = async () => {
    const { rows } = await api.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND
        ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
      [`quota:${api.project.id}`],
    )
    return rows.length
  }
  await expect.poll(terminate, { interval: 5 }).toBe(1)
  expectError(await sent, 503, 'service_unavailable')
  await release()
  expect((await api.post({ prompt: 'x' }, { headers })).statusCode).toBe(201)
  expect(await api.countJobs()).toBe(1)
})

const unavailable: Refusal = { status: 503, code: 'service_unavailable', message: 'Down.' }
const internal: Refusal = { status: 500, code: 'internal_error', message: 'Oh.' }
const work: FailedWork = { mayChange: true, advice: 'Look.' }
const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const rejected = Object.assign(new Error('canceling statement'), { code: '55P03' })

test.each<[string, Refusal, unknown, FailedWork, string]>([
  ['a read', unavailable, broken, { ...work, mayChange: false }, 'Down.'],
  ['a transaction that was undone', unavailable, new RolledBackError(broken), work, 'Down.'],
  ['a refusal by a rule', unavailable, new AppError('cancel_pending', 'Wait.'), work, 'Down.'],
  ['a refusal by a limit', { ...unavailable, status: 429 }, new TooManyRequestsError(1), work, 'Down.'],
  ['a client error', { ...internal, status: 404 }, new Error('x'), work, 'Oh.'],
  ['an internal error of a read', internal, new Error('x'), { ...work, mayChange: false }, 'Oh.'],
])('nothing was done after %s', (_name, refusal, error, failed, message) => {
  expect(toTrueRefusal(refusal, error, failed)).toEqual({ ...refusal, message })
})

test.each<[string, unknown, FailedWork]>([
  ['an interruption', new InterruptedError('slow', 'no result within 1 ms'), work],
  ['a broken connection', broken, work],
  ['a rejected statement of one of several transactions', rejected, work],
])('the outcome is unknown after %s', (_name, error, failed) => {
  const refusal = toTrueRefusal(unavailable, error, failed)
  expect(refusal).toMatchObject({ status: 503, code: 'outcome_unknown', retryAfterSeconds: 2 })
  expect(refusal.message).toMatch(/, so the request may have been processed\. Look\.$/)
})

test('the message of an internal error of a write says that the request may have been processed', () => {
  const refusal = toTrueRefusal(internal, new Error('x'), work)
  expect(refusal).toMatchObject({ status: 500, code: 'internal_error' })
  expect(refusal.message).toMatch(/may have been processed\. Look\. Report the x-request-id/)
})
