import type { ServerResponse } from 'node:http'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { cancelJob, createJob, getJob } from '@corrigenda/core/jobs'
import { listWebhooks, redeliver } from '@corrigenda/core/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeliveryDatabase, openDeliveries, openDeliveryDatabase } from './test-support/open-deliveries.ts'
import { type Answer, startReceiver, verify } from './test-support/start-receiver.ts'

let shared: DeliveryDatabase
beforeAll(async () => {
  shared = await openDeliveryDatabase()
})
afterAll(() => shared.close())

test('delivers signed events once and logs the deliveries', async () => {
  const receiver = await startReceiver()
  const { database, deps, projectId, add, start, deliveries, lines } = await openDeliveries(shared, [receiver.host])
  const { id, secret } = await add({ url: receiver.url, events: ['job.created', 'job.failed'] })
  start()
  const queue = { wakeWorker: async () => {} }
  const { job } = await createJob(
    {
      audit: COMMAND_LINE,
      pool: database.pool,
      ...deps,
      queue,
      defaultModel: 'm-1',
      quota: { limit: 10, windowSeconds: 3600 },
    },
    { projectId, request: { prompt: 'Fix it.' }, idempotencyKey: null },
  )
  await expect.poll(() => receiver.received.length).toBe(1)
  const [entry] = receiver.received
  const key = { projectId, id: job.id }
  expect(verify(secret, entry!)).toEqual({
    type: 'job.created',
    timestamp: expect.any(String),
    data: { job: await getJob(database, key) },
  })
  expect(() => verify(secret, { ...entry!, body: `${entry!.body} ` })).toThrow()
  await cancelJob({ audit: COMMAND_LINE, ...database, queue }, key)
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(verify(secret, receiver.received[1]!)).toMatchObject({
    type: 'job.failed',
    data: { job: { id: key.id, outcome: 'cancelled' } },
  })
  await expect.poll(async () => (await deliveries(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  expect(await deliveries(id)).toMatchObject([
    { eventType: 'job.failed', lastStatus: 204, attempts: [{ attempt: 1, status: 204, error: null }] },
    { eventType: 'job.created', eventId: entry!.headers['webhook-id'] },
  ])
  expect(lines.join('')).toContain('webhook sent')
  expect(lines.join('') + JSON.stringify([await listWebhooks(deps, projectId), await deliveries(id)])).not.toContain(
    secret.slice(6),
  )
})

test('delivers every event and records each attempt when the receiver restarts', async () => {
  const first = await startReceiver((response, { parallel }) => {
    // Drops a request that arrives while another is open.
    if (parallel > 1) response.destroy()
    else response.writeHead(200).end()
  })
  const { add, publish, start, deliveries } = await openDeliveries(shared, [first.host])
  const { id } = await add({ url: first.url })
  const retrySeconds = Array.from({ length: 200 }, () => 0.05)
  start({ retrySeconds })
  for (let i = 0; i < 10; i += 1) await publish()
  await expect.poll(() => first.received.length).toBeGreaterThan(5)
  await first.stop()
  for (let i = 0; i < 10; i += 1) await publish()
  await expect
    .poll(async () => (await deliveries(id)).some((delivery) => delivery.lastError === 'connection'))
    .toBe(true)
  const second = await startReceiver(undefined, Number(first.host.split(':')[1]))
  const states = async () => (await deliveries(id)).map(({ status }) => status)
  await expect.poll(states).toEqual(Array.from({ length: 20 }, () => 'delivered'))
  expect(new Set([...first.ids(), ...second.ids()])).toEqual(new Set((await deliveries(id)).map((d) => d.eventId)))
  for (const { attempts } of await deliveries(id)) {
    expect(attempts.at(-1)).toMatchObject({ attempt: attempts.length, status: expect.any(Number), error: null })
  }
})

test('delivers each event once with two workers, at most two at a time per endpoint', async () => {
  // Slow enough to observe the number of concurrent requests.
  const slow: Answer = (response) => void setTimeout(() => response.writeHead(200).end(), 30)
  const receivers = [await startReceiver(slow), await startReceiver(slow)]
  const { add, publish, start, deliveries } = await openDeliveries(
    shared,
    receivers.map(({ host }) => host),
  )
  const ids = await Promise.all(receivers.map(async ({ url }) => (await add({ url })).id))
  await Promise.all(Array.from({ length: 30 }, () => publish()))
  start()
  start()
  const isDone = async (id: string) => (await deliveries(id)).every(({ status }) => status === 'delivered')
  for (const id of ids) await expect.poll(() => isDone(id)).toBe(true)
  for (const receiver of receivers) {
    expect([receiver.received.length, receiver.ids().length]).toEqual([30, 30])
    expect(Math.max(...receiver.received.map(({ parallel }) => parallel))).toBeLessThanOrEqual(2)
  }
})

test('retries rejected deliveries until the attempts are used up and redelivers them on request', async () => {
  let status = 500
  const receiver = await startReceiver((response) => void response.writeHead(status).end('x'.repeat(3000)))
  const { deps, projectId, add, publish, start, deliveries } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  await publish()
  start()
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('failed')
  const [failed] = await deliveries(id)
  expect(failed).toMatchObject({ lastStatus: 500, nextAttemptAt: null, endedAt: expect.any(String) })
  expect(failed!.attempts.map((attempt) => attempt.status)).toEqual([500, 500, 500, 500, 500])
  expect(failed!.attempts[0]?.answer).toBe('x'.repeat(1024))
  status = 200
  await redeliver({ ...deps, audit: COMMAND_LINE }, { projectId, deliveryId: failed!.id })
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered')
  expect((await deliveries(id))[0]?.attempts).toHaveLength(6)
  expect(receiver.ids()).toEqual([failed!.eventId])
})

test('finishes short requests on shutdown and releases the others without using an attempt', async () => {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((response) => void held.push(response))
  const { database, add, publish, start, deliveries } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  for (let i = 0; i < 3; i += 1) await publish()
  const shutdown = new AbortController()
  const { stop } = start({}, { shutdown: shutdown.signal })
  await expect.poll(() => held.length).toBe(2)
  shutdown.abort()
  held[0]?.writeHead(200).end()
  await stop()
  const rows = await database.prisma.webhookDelivery.findMany({
    where: { endpointId: id },
    orderBy: { attempt: 'asc' },
  })
  expect(rows.map(({ attempt, forgiven, status, leaseUntil }) => [attempt, forgiven, status, leaseUntil])).toEqual(
    expect.arrayContaining([
      [0, 0, 'pending', null],
      [1, 0, 'delivered', null],
      [1, 1, 'pending', null],
    ]),
  )
  start()
  await expect.poll(() => held.length).toBe(4)
  for (const response of held.slice(2)) response.writeHead(200).end()
  await expect.poll(async () => (await deliveries(id)).every(({ status }) => status === 'delivered')).toBe(true)
})
