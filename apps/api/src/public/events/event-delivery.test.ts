import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { EventHubDeps } from '../../event-hub/open-event-hub.ts'
import { endJob } from '../../test-support/end-job.ts'
import { count, openEventApi } from '../../test-support/open-event-api.ts'
import type { Stream } from '../../test-support/open-stream.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const ids = (stream: Stream) => stream.events.map((event) => event.id)

/** Returns a URL with an application name that identifies the test's connection. */
function nameConnection() {
  const name = `events_${randomUUID()}`
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('application_name', name)
  return { name, databaseUrl: url.href }
}

test('a reader receives each event exactly once across an API restart', async () => {
  const api = await openEventApi({}, {})
  const successor = await openTestApi({ keyPepper: api.deps.keyPepper })
  const second = await successor.listen()
  const appending = api.append(30).then(() => endJob(api.database, api.id))
  const before = await api.watch()
  await expect.poll(() => before.events.length).toBeGreaterThan(5)
  await api.app.close()
  await before.ended
  const seen = ids(before)
  const after = await api.watch({ 'last-event-id': String(seen.at(-1)) }, '', `${second}${api.path}`)
  await appending
  expect(await after.ended).toBe(true)
  const { lastEventSeq } = await api.database.prisma.job.findUniqueOrThrow({ where: { id: api.id } })
  expect([...seen, ...ids(after)]).toEqual(count(1, lastEventSeq))
})

test('delivers events that occurred while the notification connection was lost', async () => {
  const { name, databaseUrl } = nameConnection()
  const api = await openEventApi({ databaseUrl })
  const stream = await api.watch()
  const listening = async () => {
    const { rows } = await api.database.pool.query(
      `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND query LIKE 'LISTEN%'`,
      [name],
    )
    return rows.map((row) => row.pid as number)
  }
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(async () => (await listening()).length).toBe(1)
    const [pid] = await listening()
    await api.database.pool.query('SELECT pg_terminate_backend($1)', [pid])
    const last = await api.append(5)
    await expect.poll(() => ids(stream)).toEqual(count(1, last))
  }
})

test('all readers share one notification connection', async () => {
  const { name, databaseUrl } = nameConnection()
  const api = await openEventApi({ databaseUrl })
  await Promise.all(Array.from({ length: 20 }, () => api.watch()))
  const { rows } = await api.database.pool.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [name])
  expect(rows).toHaveLength(1)
})

test('events are read at intervals if no notification arrives', async () => {
  // Notifications do not cross databases.
  const api = await openEventApi({ databaseUrl: inject('postgresUrl').replace(/\/\w+$/, '/postgres'), safetyMs: 50 })
  const stream = await api.watch()
  const last = await api.append(5)
  await expect.poll(() => ids(stream)).toEqual(count(1, last))
})

test('database errors delay events, but no events are lost', async () => {
  let failures = 3
  const wrap = (prisma: EventHubDeps['prisma']) =>
    new Proxy(prisma, {
      get(target, property) {
        if (property === '$queryRaw' && failures > 0) {
          failures -= 1
          return () => Promise.reject(new Error('unavailable'))
        }
        return Reflect.get(target, property)
      },
    })
  const api = await openEventApi({ wrap, safetyMs: 30 })
  const stream = await api.watch()
  const last = await api.append(2)
  await expect.poll(() => ids(stream)).toEqual(count(1, last))
  expect(failures).toBe(0)
})

test('all readers of a job receive each event once, from any position, and share database reads', async () => {
  let reads = 0
  let running = 0
  let mostRunning = 0
  const wrap = (prisma: EventHubDeps['prisma']) =>
    new Proxy(prisma, {
      get(target, property) {
        if (property !== '$queryRaw') return Reflect.get(target, property)
        return async (...input: Parameters<typeof prisma.$queryRaw>) => {
          reads += 1
          running += 1
          mostRunning = Math.max(mostRunning, running)
          try {
            return await target.$queryRaw(...input)
          } finally {
            running -= 1
          }
        }
      },
    })
  const api = await openEventApi({ wrap })
  await api.append(9)
  const early = await Promise.all(count(0, 19).map((i) => api.watch({}, `?after=${i % 10}`)))
  await expect.poll(() => early.every((stream, i) => stream.events.length === 10 - (i % 10))).toBe(true)
  reads = 0
  const appending = api.append(40)
  const late = await Promise.all(count(0, 9).map((i) => api.watch({}, `?after=${i % 10}`)))
  const last = await appending
  await expect.poll(() => [...early, ...late].every((stream) => stream.events.at(-1)?.id === last)).toBe(true)
  for (const [i, stream] of [...early, ...late].entries()) expect(ids(stream)).toEqual(count((i % 10) + 1, last))
  // Separate reads of 40 events for 30 readers would add up to 1,200. A late reader may add two
  // reads.
  expect(reads).toBeLessThanOrEqual(40 + 2 * late.length + 5)
  expect(mostRunning).toBe(1)
})

test("each stream receives only its own job's events, and ends when the job ends", async () => {
  const api = await openEventApi()
  const jobs: string[] = []
  for (let i = 0; i < 5; i += 1) jobs.push((await api.post({ prompt: 'x' })).json().id)
  const streams = await Promise.all(
    jobs.map((id) => api.watch({}, '', `${api.origin}/v2/agent/${api.project.id}/job/${id}/events`)),
  )
  await Promise.all(jobs.map((id, i) => api.append(i, id)))
  await endJob(api.database, jobs[2]!)
  expect(await streams[2]!.ended).toBe(true)
  await expect.poll(() => streams.map((stream) => ids(stream).length)).toEqual([1, 2, expect.any(Number), 4, 5])
  expect(api.hub.size).toBe(4)
})

type EventApi = Awaited<ReturnType<typeof openEventApi>>

/** Inserts 16 MB of events, more than a connection buffers. Returns the last sequence number. */
async function appendManyEvents({ database, id }: EventApi): Promise<number> {
  await database.pool.query(
    `WITH happened AS (
      INSERT INTO job_events (job_id, seq, type, data)
      SELECT $1, n, 'test.happened', jsonb_build_object('text', repeat('x', 10000)) FROM generate_series(2, 1601) AS n
    )
    UPDATE jobs SET last_event_seq = 1601 WHERE id = $1`,
    [id],
  )
  return 1601
}

/** Opens a client that requests the stream and reads nothing until it is resumed. */
function openLazyClient({ origin, path, authorization }: EventApi): net.Socket {
  const socket = net.connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  return socket
}

test('a client that does not read does not delay others, uses little memory, and is disconnected', async () => {
  const api = await openEventApi({ heartbeatMs: 500 })
  const last = await appendManyEvents(api)
  openLazyClient(api)
  await expect.poll(() => api.hub.size).toBe(1)
  const reader = await api.watch()
  let held = 0
  await expect
    .poll(() => {
      held = Math.max(held, api.hub.heldBytes)
      return reader.text.length
    })
    .toBeGreaterThan(16_000_000)
  // 128 KiB and one event for each of the two clients.
  expect(held).toBeLessThan(2 * (128 + 12) * 1024)
  await expect.poll(() => ids(reader).length).toBe(last)
  expect(ids(reader)).toEqual(count(1, last))
  await expect.poll(() => api.hub.size).toBe(1)
})

test('a slow client receives the remaining events when it resumes reading', async () => {
  const api = await openEventApi()
  const last = await appendManyEvents(api)
  const socket = openLazyClient(api)
  await expect.poll(() => api.hub.heldBytes).toBeGreaterThan(128 * 1024)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  await expect.poll(() => text.length).toBeGreaterThan(16_000_000)
  const seen = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  await expect.poll(() => seen().length).toBe(last)
  expect(seen()).toEqual(count(1, last))
})
