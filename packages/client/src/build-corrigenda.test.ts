import { expect, test } from 'vitest'
import { CorrigendaError } from './index.ts'
import { breakOff, json, type Reply, refuse, serveScript } from './test-support/serve-script.ts'

const job = (status: string) => ({ id: 'job_1', status })

test('retries createJob with the same Idempotency-Key after a connection error, 503 and 429', async () => {
  const soon = { 'retry-after': '0' }
  const { client, received } = await serveScript(
    [
      breakOff,
      refuse(503, 'service_unavailable', soon),
      refuse(429, 'too_many_requests', soon),
      json(201, job('active')),
    ],
    { retries: { maxAttempts: 4 } },
  )
  expect((await client.createJob({ prompt: 'x' })).id).toBe('job_1')
  expect(received.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual(
    Array(4).fill('POST /v2/agent/prj_1/job {"prompt":"x"}'),
  )
  const keys = new Set(received.map(({ headers }) => headers['idempotency-key']))
  expect([keys.size, [...keys][0]]).toEqual([1, expect.stringMatching(/^[0-9a-f]{32}$/)])
  expect(received[0]?.headers.authorization).toBe('Bearer cgd_k')
})

test('createJob sends a new Idempotency-Key with every call, unless the caller passes one', async () => {
  const { client, received } = await serveScript([json(201, job('active'))])
  await client.createJob({ prompt: 'x' })
  await client.createJob({ prompt: 'x' })
  await client.createJob({ prompt: 'x' }, { idempotencyKey: 'mine' })
  const keys = received.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('mine')
})

test('retries triggerUpdate only after 429', async () => {
  const broken = await serveScript([breakOff, json(202, { statusId: 'dep_1' })])
  await expect(broken.client.triggerUpdate()).rejects.toMatchObject({ code: 'connection_failed', status: 0 })
  const unavailable = await serveScript([refuse(503, 'service_unavailable', { 'retry-after': '0' })])
  await expect(unavailable.client.triggerUpdate()).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  expect([broken.received.length, unavailable.received.length]).toEqual([1, 1])
  const limited = await serveScript([
    refuse(429, 'deploy_rate_exceeded', { 'retry-after': '0' }),
    json(202, { statusId: 'dep_1' }),
    json(200, { status: 'queued' }),
    json(200, { status: 'success' }),
  ])
  expect(await limited.client.triggerUpdate().wait()).toEqual({ status: 'success' })
})

test('throws an error with all details, without waiting, if Retry-After exceeds the limit', async () => {
  const { client, received } = await serveScript([refuse(429, 'quota_exceeded', { 'retry-after': '1800' })])
  const error = await client.createJob({ prompt: 'x' }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(CorrigendaError)
  expect({ ...error, message: error.message }).toEqual({
    name: 'CorrigendaError',
    message: 'The error is quota_exceeded.',
    status: 429,
    code: 'quota_exceeded',
    retryAfterSeconds: 1800,
    requestId: 'r-1',
  })
  expect(received).toHaveLength(1)
})

test('limits the number of attempts, and does not retry permanent errors', async () => {
  const unavailable = await serveScript([refuse(503, 'service_unavailable', { 'retry-after': '0' })], {
    retries: { maxAttempts: 3 },
  })
  await expect(unavailable.client.getJob('job_1')).rejects.toMatchObject({ status: 503 })
  expect(unavailable.received).toHaveLength(3)
  const wrong = await serveScript([refuse(404, 'not_found')])
  await expect(wrong.client.getJob('job_1')).rejects.toMatchObject({ code: 'not_found' })
  expect(wrong.received).toHaveLength(1)
})

test('reports different errors for a response from another server and for a missing response', async () => {
  const page = await serveScript([(response) => response.end('<h1>Welcome</h1>')])
  await expect(page.client.getJob('job_1')).rejects.toMatchObject({ code: 'not_the_api', status: 200 })
  const wrong = await serveScript([json(502, ['bad gateway'])], { retries: { maxAttempts: 1 } })
  await expect(wrong.client.getJob('job_1')).rejects.toMatchObject({ code: 'not_the_api', status: 502 })
  const none = await serveScript([breakOff], { retries: { maxAttempts: 1 } })
  await expect(none.client.getJob('job_1')).rejects.toMatchObject({ code: 'connection_failed' })
})

test('does not send the key to a redirect target', async () => {
  const there = await serveScript([json(200, job('active'))])
  const here = await serveScript([(response) => response.writeHead(307, { location: there.baseUrl }).end()], {
    retries: { maxAttempts: 1 },
  })
  await expect(here.client.getJob('job_1')).rejects.toBeInstanceOf(CorrigendaError)
  expect(there.received).toHaveLength(0)
})

test('wait polls with the ETag until the job has ended', async () => {
  const { client, received } = await serveScript([
    json(201, job('active')),
    json(200, job('active'), { etag: '"1"' }),
    (response) => response.writeHead(304, { etag: '"1"' }).end(),
    json(200, job('completed'), { etag: '"2"' }),
  ])
  expect((await client.createJob({ prompt: 'x' }).wait()).status).toBe('completed')
  expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, '"1"', '"1"'])
})

test('wait throws when its timeout expires or the signal is aborted', async () => {
  const { client } = await serveScript([json(200, job('active'), { etag: '"1"' })])
  await expect(client.waitForJob('job_1', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'wait_timeout' })
  const stop = new AbortController()
  const waiting = client.waitForJob('job_1', { signal: stop.signal, timeoutMs: 60_000 })
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('listJobs requests all pages', async () => {
  const { client, received } = await serveScript([
    json(200, { jobs: [{ id: 'job_3' }, { id: 'job_2' }], nextCursor: 'c 1' }),
    json(200, { jobs: [{ id: 'job_1' }], nextCursor: null }),
  ])
  const ids: string[] = []
  for await (const { id } of client.listJobs({ status: 'completed', limit: 2 })) ids.push(id)
  expect(ids).toEqual(['job_3', 'job_2', 'job_1'])
  expect(received.map(({ path }) => path)).toEqual([
    '/v2/agent/prj_1/jobs?status=completed&limit=2',
    '/v2/agent/prj_1/jobs?status=completed&limit=2&cursor=c%201',
  ])
})

const soon = { 'retry-after': '0' }
const silent: Reply = () => {}

test('retries createJob while the first request is in progress, but not if the Idempotency-Key was used for a different request', async () => {
  const inFlight = refuse(409, 'idempotency_in_flight', soon)
  const { client, received } = await serveScript([breakOff, inFlight, inFlight, json(201, job('active'))])
  expect((await client.createJob({ prompt: 'x' })).id).toBe('job_1')
  expect(received).toHaveLength(4)
  const other = await serveScript([refuse(422, 'idempotency_mismatch', soon)])
  await expect(other.client.createJob({ prompt: 'x' })).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  expect(other.received).toHaveLength(1)
})

test('retries after gateway errors, but never sends a second deployment', async () => {
  const gateway = (status: number): Reply => json(status, 'Bad Gateway', soon)
  const { client } = await serveScript([gateway(502), gateway(504), json(200, job('active'))])
  expect((await client.getJob('job_1')).status).toBe('active')
  const once = await serveScript([gateway(502)])
  await expect(once.client.triggerUpdate()).rejects.toMatchObject({ code: 'not_the_api', status: 502 })
  expect(once.received).toHaveLength(1)
})

test('treats a server that stops sending before or during its response as unreachable', async () => {
  const half: Reply = (response) => void response.writeHead(200, { 'content-length': '100' }).write('{')
  const retries = { silenceMs: 1_500, maxAttempts: 3 }
  const { client, received } = await serveScript([silent, half, json(200, job('active'))], { retries })
  expect((await client.getJob('job_1')).status).toBe('active')
  expect(received).toHaveLength(3)
  const never = await serveScript([silent], { retries: { silenceMs: 1_500, maxAttempts: 1 } })
  await expect(never.client.getJob('job_1')).rejects.toMatchObject({ code: 'connection_failed', status: 0 })
  const once = await serveScript([silent], { retries: { silenceMs: 1_500 } })
  await expect(once.client.triggerUpdate()).rejects.toMatchObject({ code: 'connection_failed' })
  expect(once.received).toHaveLength(1)
})

test('wait tolerates an unavailable service up to the outage limit', async () => {
  const unavailable = refuse(503, 'service_unavailable', soon)
  const replies = [
    json(200, job('active'), { etag: '"1"' }),
    breakOff,
    unavailable,
    unavailable,
    json(200, job('completed')),
  ]
  const { client } = await serveScript(replies, { retries: { maxAttempts: 1 } })
  expect((await client.waitForJob('job_1')).status).toBe('completed')
  const gone = await serveScript([unavailable], { retries: { maxAttempts: 1, maxOutageMs: 30 } })
  await expect(gone.client.waitForJob('job_1')).rejects.toMatchObject({ code: 'service_unavailable' })
  const refused = await serveScript([refuse(404, 'not_found')])
  await expect(refused.client.waitForJob('job_1')).rejects.toMatchObject({ code: 'not_found' })
  expect(refused.received).toHaveLength(1)
})

test('treats a timeout that exceeds the maximum timer delay as no limit', async () => {
  for (const timeoutMs of [30 * 86_400_000, Number.POSITIVE_INFINITY]) {
    const { client } = await serveScript([json(200, job('active'), { etag: '"1"' }), json(200, job('completed'))])
    expect((await client.waitForJob('job_1', { timeoutMs })).status).toBe('completed')
  }
})
