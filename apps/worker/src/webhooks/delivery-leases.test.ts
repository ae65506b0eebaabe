import { once } from 'node:events'
import { readClocks } from '@corrigenda/core/leases'
import { claimDeliveries, failHopeless, recordAttempt } from '@corrigenda/core/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliver } from './deliver.ts'
import {
  type DeliveryDatabase,
  openDeliveries,
  openDeliveryDatabase,
  WEBHOOK_KEY,
} from './test-support/open-deliveries.ts'
import { spawnDeliveries } from './test-support/spawn-deliveries.ts'
import { type Receiver, startReceiver } from './test-support/start-receiver.ts'

let shared: DeliveryDatabase
beforeAll(async () => {
  shared = await openDeliveryDatabase()
})
afterAll(() => shared.close())

test('takes over a delivery after its lease expires and ignores the late response', async () => {
  const receiver = await startReceiver()
  const { add, publish, build, start, deliveries, endLeases } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  await publish()
  const deps = build()
  const [dead] = await claimDeliveries(deps, { owner: 'dead', limit: 1 })
  expect(await claimDeliveries(deps, { owner: 'other', limit: 9 })).toEqual([])
  await endLeases()
  start()
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered')
  const late = { result: { kind: 'answered', status: 500, retryAfterMs: null }, ms: 1, answer: '' } as const
  expect(await recordAttempt(deps, dead!, late)).toEqual({ kind: 'lost' })
  expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', lastStatus: 204 })
})

test('does not end a delivery on a late response after another worker has taken it over', async () => {
  const { add, publish, build, deliveries, endLeases } = await openDeliveries(shared, [])
  const { id } = await add({ url: 'https://example.com/' })
  const deps = build()
  await publish()
  const [dead] = await claimDeliveries(deps, { owner: 'dead', limit: 1 })
  await endLeases()
  const [successor] = await claimDeliveries(deps, { owner: 'successor', limit: 1 })
  const answered = (status: number) =>
    ({ result: { kind: 'answered', status, retryAfterMs: null }, ms: 1, answer: '' }) as const
  expect(await recordAttempt(deps, dead!, answered(410))).toEqual({ kind: 'lost' })
  expect((await deliveries(id))[0]).toMatchObject({ status: 'pending', attempts: [{ attempt: 1, status: 410 }] })
  expect(await recordAttempt(deps, successor!, answered(200))).toMatchObject({ kind: 'delivered' })
})

test('fails a delivery with worker_lost after the worker crashes in every attempt', async () => {
  const { add, publish, build, deliveries, endLeases } = await openDeliveries(shared, [])
  const { id } = await add({ url: 'https://example.com/' })
  const deps = build()
  await publish()
  for (let i = 0; i < deps.maxTries; i += 1) {
    expect(await claimDeliveries(deps, { owner: 'dead', limit: 1 })).toHaveLength(1)
    await endLeases()
  }
  expect(await claimDeliveries(deps, { owner: 'dead', limit: 1 })).toEqual([])
  expect(await failHopeless(deps, deps)).toBe(1)
  expect(await deliveries(id)).toMatchObject([{ status: 'failed', lastError: 'worker_lost' }])
})

test('repeats a delivery whose worker is killed between request and response', async () => {
  const receiver: Receiver = await startReceiver((response) => {
    // The first request never receives a response.
    if (receiver.received.length > 1) response.writeHead(200).end()
  })
  const { database, url, deps, add, publish, start, deliveries, endLeases } = await openDeliveries(shared, [
    receiver.host,
  ])
  const { id } = await add({ url: receiver.url })
  await publish()
  const own = new URL(url)
  own.searchParams.set('application_name', 'killed')
  const child = spawnDeliveries({ ...deps, webhookKey: WEBHOOK_KEY, url: own.href, leaseSeconds: 60 })
  await expect.poll(() => receiver.received.length).toBe(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  // PostgreSQL still executes a claim that the worker sent before it was killed.
  const readSessions = async () =>
    (await database.pool.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'killed'")).rows
  await expect.poll(readSessions).toEqual([])
  await endLeases()
  start()
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered')
  expect(receiver.received).toHaveLength(2)
  expect(receiver.ids()).toHaveLength(1)
  expect((await deliveries(id))[0]?.attempts).toMatchObject([{ attempt: 2, status: 200 }])
})

test('sends nothing when the worker was suspended between claim and request', async () => {
  const receiver = await startReceiver()
  const { add, publish, build, deliveries } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  await publish()
  const deps = build()
  const [claim] = await claimDeliveries(deps, { owner: 'stopped', limit: 1 })
  const { signal } = new AbortController()
  const now = readClocks()
  for (const late of [
    { ...now, steady: now.steady - 31_000 },
    { ...now, wall: now.wall - 31_000 },
  ]) {
    await deliver(deps, claim!, { signal, claimedAt: late })
  }
  expect([receiver.received, (await deliveries(id))[0]?.attempts]).toEqual([[], []])
  await deliver(deps, claim!, { signal, claimedAt: now })
  expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered' })
})

test('distributes due deliveries among concurrent claims', async () => {
  const { add, publish, build } = await openDeliveries(shared, [])
  for (let i = 0; i < 8; i += 1) await add({ url: 'https://example.com/' })
  const deps = build({ endpointConcurrency: 100, projectConcurrency: 100 })
  for (let round = 0; round < 3; round += 1) {
    await publish()
    const claims = Array.from({ length: 10 }, () => claimDeliveries(deps, { owner: 'x', limit: 4 }))
    const ids = (await Promise.all(claims)).flat().map((claim) => claim.id)
    expect(ids).toHaveLength(new Set(ids).size)
    expect(ids.length).toBeGreaterThan(0)
  }
})
