import { COMMAND_LINE } from '@corrigenda/core/audit'
import { listWebhooks, rotateWebhookSecret, updateWebhook } from '@corrigenda/core/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeliveryDatabase, openDeliveries, openDeliveryDatabase } from './test-support/open-deliveries.ts'
import { type Answer, startReceiver, verify } from './test-support/start-receiver.ts'

let shared: DeliveryDatabase
beforeAll(async () => {
  shared = await openDeliveryDatabase()
})
afterAll(() => shared.close())

const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('no')

test('disables an endpoint after a 410 and notifies the other endpoints', async () => {
  const [gone, other] = [await startReceiver(refuse(410)), await startReceiver()]
  const { deps, projectId, add, publish, start, deliveries, lines } = await openDeliveries(shared, [
    gone.host,
    other.host,
  ])
  const { id } = await add({ url: gone.url })
  const watcher = await add({ url: other.url, events: ['webhook.disabled'] })
  await publish()
  await publish()
  start({ endpointConcurrency: 1 })
  await expect.poll(() => other.received.length).toBe(1)
  expect(verify(watcher.secret, other.received[0]!)).toMatchObject({
    type: 'webhook.disabled',
    data: { webhook: { id, reason: 'gone', host: gone.host } },
  })
  expect((await listWebhooks(deps, projectId))[0]).toMatchObject({ id, disabledReason: 'gone' })
  await publish()
  expect(await deliveries(id)).toMatchObject([
    { status: 'failed', lastError: 'endpoint_disabled', attempts: [] },
    { status: 'failed', lastStatus: 410, attempts: [{ status: 410 }] },
  ])
  expect(lines.some((line) => line.includes('webhook disabled') && line.includes(id))).toBe(true)
})

test('disables an endpoint after three days without success once a delivery has used up its attempts', async () => {
  const receiver = await startReceiver(refuse(500))
  const { database, deps, projectId, add, publish, start, deliveries, lines } = await openDeliveries(shared, [
    receiver.host,
  ])
  const { id } = await add({ url: receiver.url })
  const { stop } = start()
  await publish()
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('failed')
  const [endpoint] = await listWebhooks(deps, projectId)
  expect(endpoint).toMatchObject({ disabledAt: null, failingSince: expect.any(String) })
  await stop()
  await database.prisma.$executeRaw`UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours'`
  await publish()
  start({ retrySeconds: [0.01, 3600] })
  await expect.poll(async () => (await deliveries(id))[0]?.attempts.length).toBe(2)
  expect((await listWebhooks(deps, projectId))[0]).toMatchObject({ disabledAt: null })
  await database.prisma.$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`
  await expect.poll(async () => (await listWebhooks(deps, projectId))[0]?.disabledReason).toBe('failing')
  expect(await database.prisma.webhookEvent.count({ where: { type: 'webhook.disabled' } })).toBe(1)
  expect(lines.some((line) => line.includes('webhook disabled') && line.includes('failing'))).toBe(true)
  expect(
    await updateWebhook({ ...deps, audit: COMMAND_LINE }, { projectId, id, change: { disabled: false } }),
  ).toMatchObject({
    disabledAt: null,
    failingSince: null,
  })
})

test('resets the failure state after a success', async () => {
  const receiver = await startReceiver()
  const { database, deps, projectId, add, publish, start, deliveries } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  await database.prisma.$executeRaw`UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours'`
  await publish()
  start()
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered')
  expect((await listWebhooks(deps, projectId))[0]).toMatchObject({ failingSince: null, disabledAt: null })
})

test('waits as long as Retry-After requests', async () => {
  const receiver = await startReceiver(refuse(503, { 'retry-after': '1800' }))
  const { add, publish, start, deliveries } = await openDeliveries(shared, [receiver.host])
  const { id } = await add({ url: receiver.url })
  await publish()
  start()
  await expect.poll(async () => (await deliveries(id))[0]?.lastStatus).toBe(503)
  const wait = Date.parse((await deliveries(id))[0]?.nextAttemptAt ?? '') - Date.now()
  expect(wait).toBeGreaterThan(1_700_000)
  expect(wait).toBeLessThan(1_900_000)
})

test('does not call an endpoint whose address is no longer public', async () => {
  const receiver = await startReceiver()
  const { database, add, publish, start, deliveries } = await openDeliveries(shared, [])
  const { id } = await add({ url: 'https://example.com/' })
  await database.prisma.webhookEndpoint.update({ where: { id }, data: { url: `https://${receiver.host}/` } })
  await publish()
  start()
  await expect.poll(async () => (await deliveries(id))[0]?.lastError).toBe('address_refused')
  expect(receiver.received).toEqual([])
})

test('signs with both secrets for a day after a rotation, then with the new one', async () => {
  const receiver = await startReceiver()
  const { database, deps, projectId, add, publish, start } = await openDeliveries(shared, [receiver.host])
  const { id, secret: old } = await add({ url: receiver.url })
  const { secret } = await rotateWebhookSecret({ ...deps, audit: COMMAND_LINE }, { projectId, id })
  start()
  await publish()
  await expect.poll(() => receiver.received.length).toBe(1)
  for (const key of [old, secret]) expect(verify(key, receiver.received[0]!)).toMatchObject({ type: 'job.created' })
  await database.prisma.$executeRaw`UPDATE webhook_endpoints SET previous_until = now() - interval '1 second'`
  await publish()
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(verify(secret, receiver.received[1]!)).toMatchObject({ type: 'job.created' })
  expect(() => verify(old, receiver.received[1]!)).toThrow()
})

test('reports a secret that cannot be decrypted and delivers to other endpoints', async () => {
  const receiver = await startReceiver()
  const { database, add, publish, start, deliveries } = await openDeliveries(shared, [receiver.host])
  const [broken, well] = [await add({ url: receiver.url }), await add({ url: receiver.url })]
  const { sealedSecret } = await database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: well.id } })
  await database.prisma.webhookEndpoint.update({ where: { id: broken.id }, data: { sealedSecret } })
  await publish()
  start()
  await expect.poll(async () => (await deliveries(well.id))[0]?.status).toBe('delivered')
  await expect.poll(async () => (await deliveries(broken.id))[0]?.lastError).toBe('secret_unreadable')
  expect(receiver.received).toHaveLength(1)
})
