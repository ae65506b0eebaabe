import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { count, openEventApi } from '../../test-support/open-event-api.ts'

test("a stream sends past and new events, ends after the job's last event, and returns 204 on reconnect", async () => {
  const api = await openEventApi()
  const stream = await api.watch()
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
  expect(stream.headers).toMatchObject({
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
    vary: 'accept, origin',
  })
  expect(stream.headers['content-encoding']).toBeUndefined()
  await api.append(3)
  await expect.poll(() => stream.events.length).toBe(4)
  await endJob(api.database, api.id)
  expect(await stream.ended).toBe(true)
  expect(stream.text).toMatch(/^retry: 2000\n\nid: 1\nevent: job.created\ndata: \{/)
  const page = (await api.get(`${api.path}?limit=1000`)).json().events
  expect(stream.events.map((event) => event.data)).toEqual(page)
  expect(stream.events.map((event) => event.id)).toEqual(count(1, page.length))
  expect(stream.events.map((event) => event.event)).toEqual(page.map((event: { type: string }) => event.type))
  expect(stream.events.at(-1)?.event).toBe('job.completed')
  const last = String(page.length)
  for (const again of [await api.watch({ 'last-event-id': last }), await api.watch({}, `?after=${last}`)]) {
    expect([again.status, again.text]).toEqual([204, ''])
  }
  const whole = await api.watch()
  expect(await whole.ended).toBe(true)
  expect(whole.events).toEqual(stream.events)
})

test('a stream resumes after Last-Event-ID, or after the "after" parameter if the header is missing or empty', async () => {
  const api = await openEventApi()
  const last = await api.append(6)
  const ids = async (headers: Record<string, string>, query = '') => {
    const stream = await api.watch(headers, query)
    await expect.poll(() => stream.events.at(-1)?.id).toBe(last)
    return stream.events.map((event) => event.id)
  }
  expect(await ids({ 'last-event-id': '4' })).toEqual(count(5, last))
  expect(await ids({}, '?after=5')).toEqual(count(6, last))
  expect(await ids({ 'last-event-id': '3' }, '?after=5')).toEqual(count(4, last))
  expect(await ids({ 'last-event-id': '' }, '?after=5')).toEqual(count(6, last))
  // With a position beyond the last event, the stream skips all events up to that position.
  const ahead = await api.watch({ 'last-event-id': String(last + 2) })
  await api.append(4)
  await expect.poll(() => ahead.events.map((event) => event.id)).toEqual([last + 3, last + 4])
})

test('sends all events of an ended job, even if this takes several database reads', async () => {
  const api = await openEventApi()
  await api.database.pool.query(
    `WITH happened AS (
      INSERT INTO job_events (job_id, seq, type) SELECT $1, n, 'test.happened' FROM generate_series(2, 500) AS n
    )
    UPDATE jobs SET last_event_seq = 500 WHERE id = $1`,
    [api.id],
  )
  await endJob(api.database, api.id)
  const last = await api.append(0)
  const stream = await api.watch()
  expect(await stream.ended).toBe(true)
  expect(stream.events.map((event) => event.id)).toEqual(count(1, last))
})

test('a stream can be opened for a job that a follow-up made active again', async () => {
  const api = await openEventApi()
  await endJob(api.database, api.id)
  const last = await api.append(0)
  expect((await api.watch({ 'last-event-id': String(last) })).status).toBe(204)
  await api.database.pool.query(
    `UPDATE jobs SET status = 'active', phase = 'queued', outcome = NULL, finished_at = NULL WHERE id = $1`,
    [api.id],
  )
  const stream = await api.watch({ 'last-event-id': String(last) })
  expect(stream.status).toBe(200)
  await api.append(2)
  await expect.poll(() => stream.events.map((event) => event.id)).toEqual([last + 1, last + 2])
})

test('heartbeats are sent between events', async () => {
  const api = await openEventApi({ heartbeatMs: 20 })
  const stream = await api.watch()
  await expect.poll(() => stream.text.match(/^: $/gm)?.length ?? 0).toBeGreaterThan(2)
  await api.append(1)
  await expect.poll(() => stream.events.map((event) => event.id)).toEqual([1, 2])
})

test('returns JSON if the client does not prefer a stream, and for all errors', async () => {
  const api = await openEventApi()
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream']) {
    expect((await api.get(api.path, { accept })).json().events).toHaveLength(1)
  }
  const accept = 'text/event-stream'
  expectError(await api.get(api.path, { accept, 'last-event-id': 'x' }), 400, 'invalid_request')
  expectError(await api.get(api.path, { accept, 'last-event-id': '4294967296' }), 400, 'invalid_request')
  expectError(await api.get(`${api.path}?after=-1`, { accept }), 400, 'invalid_request')
  expectError(await api.get(api.path, { accept, authorization: 'Bearer x' }), 401, 'unauthorized')
  const missing = `/v2/agent/${api.project.id}/job/job_${'0'.repeat(26)}/events`
  expectError(await api.get(missing, { accept }), 404, 'not_found')
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const foreign = await api.get(`/v2/agent/${other.id}/job/${api.id}/events`, {
    accept,
    authorization: `Bearer ${key}`,
  })
  expectError(foreign, 404, 'not_found')
  const writer = await api.makeKey(api.project.id, { scopes: ['jobs:write'] })
  expectError(await api.get(api.path, { accept, authorization: `Bearer ${writer.key}` }), 403, 'scope_missing')
})

test("HEAD returns the stream's headers and ends", async () => {
  const api = await openEventApi()
  const head = await api.app.inject({
    method: 'HEAD',
    url: api.path,
    headers: { authorization: api.authorization, accept: 'text/event-stream' },
  })
  expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, 'text/event-stream', ''])
  expect(api.hub.size).toBe(0)
})

test('limits concurrent streams, and accepts a new stream after one has ended', async () => {
  const api = await openEventApi({ maxStreams: 4 })
  const first = await api.watch()
  await api.watch()
  const refused = await api.get(api.path, { accept: 'text/event-stream' })
  expectError(refused, 503, 'too_many_streams')
  expect(refused.headers['retry-after']).toBe('30')
  first.close()
  await expect.poll(() => api.hub.size).toBe(1)
  expect((await api.watch()).status).toBe(200)
})

test('one project cannot use all streams', async () => {
  const api = await openEventApi({ maxStreams: 2 })
  await api.watch()
  expect(() => api.hub.assertCapacity(api.project.id)).toThrow('Too many event streams')
  expect(() => api.hub.assertCapacity('prj_other')).not.toThrow()
})

test('ends only the streams whose key is revoked, expired or deleted', async () => {
  const api = await openEventApi({ keyCheckMs: 30 })
  const keys = await Promise.all(Array.from({ length: 4 }, () => api.makeKey(api.project.id)))
  const streams = await Promise.all(keys.map(({ key }) => api.watch({ authorization: `Bearer ${key}` })))
  const [revoked, expired, deleted, stays] = keys.map(({ id }) => ({ id }))
  const { apiKey } = api.database.prisma
  await apiKey.update({ where: revoked!, data: { revokedAt: new Date() } })
  await apiKey.update({ where: expired!, data: { expiresAt: new Date(Date.now() - 1000) } })
  await apiKey.delete({ where: deleted! })
  expect(await Promise.all(streams.slice(0, 3).map((stream) => stream.ended))).toEqual([true, true, true])
  expect(api.hub.size).toBe(1)
  expect(await apiKey.count({ where: stays! })).toBe(1)
  await api.append(1)
  await expect.poll(() => streams[3]!.events.length).toBe(2)
})

test('a process that shuts down ends its streams immediately', async () => {
  const api = await openEventApi({}, {})
  const streams = await Promise.all([api.watch(), api.watch(), api.watch()])
  await api.app.close()
  expect(await Promise.all(streams.map((stream) => stream.ended))).toEqual([true, true, true])
  expect(() => api.hub.assertCapacity('prj_1')).toThrow('This process is shutting down')
})

test('a stream ends when its job is deleted', async () => {
  const api = await openEventApi({ safetyMs: 30 })
  const stream = await api.watch()
  await api.database.prisma.job.delete({ where: { id: api.id } })
  expect(await stream.ended).toBe(true)
})

test('a client that disconnects before its stream starts does not count toward the limit', async () => {
  const api = await openEventApi()
  const server = http.createServer((request, response) => {
    response.once('close', () => {
      api.hub.add({
        response,
        jobId: api.id,
        projectId: 'prj_1',
        identity: { keyId: api.keyId, expiresAt: null },
        position: 0,
      })
      server.close()
    })
    request.socket.destroy()
  })
  const closed = new Promise((resolve) => server.once('close', resolve))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  http.get({ port: (server.address() as AddressInfo).port, agent: false }).on('error', () => {})
  await closed
  expect(api.hub.size).toBe(0)
})
