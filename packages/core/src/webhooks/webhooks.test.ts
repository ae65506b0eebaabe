import { CreateWebhookRequest, ListDeliveriesQuery } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { listDeliveries, redeliver, sendTestEvent } from './deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  lockEndpoint,
  rotateWebhookSecret,
  updateWebhook,
} from './manage-webhooks.ts'

const webhookKey = Buffer.alloc(32, 1)

async function open(allowedHookHosts: string[] = []) {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const deps = { audit: COMMAND_LINE, prisma: database.prisma, webhookKey, allowedHookHosts }
  const add = (input: Partial<CreateWebhookRequest> = {}) =>
    createWebhook(deps, { projectId, ...CreateWebhookRequest.parse({ url: 'https://example.com/hook', ...input }) })
  return { database, deps, projectId, add }
}

test('returns the secret once and seals it in the database', async () => {
  const { database, deps, projectId, add } = await open()
  const made = await add({ description: 'CI', events: ['job.failed', 'job.failed'] })
  expect(made).toMatchObject({ url: 'https://example.com/hook', events: ['job.failed'], disabledAt: null })
  const read = await getWebhook(deps, { projectId, id: made.id })
  expect(read).toEqual({ ...made, secret: 'whsec_********' })
  expect(await listWebhooks(deps, projectId)).toEqual([read])
  const row = await database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: made.id } })
  expect(Buffer.from(row.sealedSecret).toString('latin1')).not.toContain(made.secret.slice(6))
  expect(unsealSecret(webhookKey, made.id, row.sealedSecret)).toBe(made.secret)
  const rotated = await rotateWebhookSecret(deps, { projectId, id: made.id })
  const after = await database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: made.id } })
  expect(unsealSecret(webhookKey, made.id, after.sealedSecret)).toBe(rotated.secret)
  expect(unsealSecret(webhookKey, made.id, after.previousSealedSecret!)).toBe(made.secret)
  expect(rotated.secret).not.toBe(made.secret)
})

test('rejects disallowed URLs on creation and update', async () => {
  const { deps, projectId, add } = await open(['127.0.0.1:9'])
  const { id } = await add({ url: 'http://127.0.0.1:9/hook' })
  for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'https://u:p@example.com/', 'x']) {
    await expect(add({ url })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(updateWebhook(deps, { projectId, id, change: { url } })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  }
  await expect(add({ url: 'http://example.com/' })).rejects.toThrow('The webhook URL must start with https://.')
})

test('allows at most ten webhooks per project under concurrent requests', async () => {
  const { deps, projectId, add } = await open()
  const results = await Promise.allSettled(Array.from({ length: 14 }, () => add()))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'webhook_limit' })
  }
  const [first] = await listWebhooks(deps, projectId)
  await deleteWebhook(deps, { projectId, id: first!.id })
  await add()
})

test('resets the failure state when the URL changes', async () => {
  const { database, deps, projectId, add } = await open()
  const { id } = await add()
  await database.prisma.webhookEndpoint.update({ where: { id }, data: { failingSince: new Date() } })
  expect((await updateWebhook(deps, { projectId, id, change: { description: 'x' } })).failingSince).not.toBeNull()
  const { failingSince } = await updateWebhook(deps, { projectId, id, change: { url: 'https://example.org/' } })
  expect(failingSince).toBeNull()
})

test('a URL on another host gets a new secret, and the old secret is removed', async () => {
  const { database, deps, projectId, add } = await open()
  const made = await add()
  await rotateWebhookSecret(deps, { projectId, id: made.id })
  const change = (url: string) => updateWebhook(deps, { projectId, id: made.id, change: { url } })
  const read = () => database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: made.id } })
  const before = await read()
  expect((await change('https://example.com/other')).secret).toBe('whsec_********')
  expect(await read()).toMatchObject({ sealedSecret: before.sealedSecret, previousUntil: before.previousUntil })
  const moved = await change('https://example.org/other')
  const after = await read()
  expect(unsealSecret(webhookKey, made.id, after.sealedSecret)).toBe(moved.secret)
  expect(unsealSecret(webhookKey, made.id, before.sealedSecret)).not.toBe(moved.secret)
  expect(after).toMatchObject({ previousSealedSecret: null, previousUntil: null })
})

test('rejects access from another project', async () => {
  const { database, deps, add } = await open()
  const { id } = await add()
  const { id: delivery } = await sendTestEvent(deps, { projectId: null, id })
  const key = { projectId: (await createTestProject(database)).id, id }
  const query = ListDeliveriesQuery.parse({})
  for (const attempt of [
    () => getWebhook(deps, key),
    () => updateWebhook(deps, { ...key, change: { disabled: true } }),
    () => deleteWebhook(deps, key),
    () => rotateWebhookSecret(deps, key),
    () => sendTestEvent(deps, key),
    () => listDeliveries(deps, { ...key, ...query }),
    () => redeliver(deps, { projectId: key.projectId, deliveryId: delivery }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_found', message: 'Not found.' })
  }
  expect(await listWebhooks(deps, key.projectId)).toEqual([])
  // The row stays available to its own project meanwhile.
  await database.prisma.$transaction(async (tx) => {
    await expect(lockEndpoint(tx, key)).rejects.toMatchObject({ code: 'not_found' })
    await database.pool.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE NOWAIT', [id])
  })
})

test("fails a disabled endpoint's pending deliveries and allows redelivery after it is enabled", async () => {
  const { database, deps, projectId, add } = await open()
  const { id } = await add()
  const { id: deliveryId } = await sendTestEvent(deps, { projectId, id })
  const again = () => redeliver(deps, { projectId, deliveryId, webhookId: id })
  const off = await updateWebhook(deps, { projectId, id, change: { disabled: true } })
  expect(off).toMatchObject({ disabledReason: 'manual', disabledAt: expect.any(String) })
  expect(await updateWebhook(deps, { projectId, id, change: { disabled: true } })).toMatchObject({
    disabledAt: off.disabledAt,
  })
  const { deliveries } = await listDeliveries(deps, { projectId, id, ...ListDeliveriesQuery.parse({}) })
  expect(deliveries).toMatchObject([{ status: 'failed', lastError: 'endpoint_disabled', nextAttemptAt: null }])
  await expect(again()).rejects.toMatchObject({ code: 'webhook_disabled' })
  await expect(sendTestEvent(deps, { projectId, id })).rejects.toMatchObject({ code: 'webhook_disabled' })
  const on = await updateWebhook(deps, { projectId, id, change: { disabled: false } })
  expect(on).toMatchObject({ disabledAt: null, disabledReason: null })
  expect(await again()).toMatchObject({ id: deliveryId, status: 'pending', endedAt: null })
  await expect(redeliver(deps, { projectId, deliveryId, webhookId: 'whe_other' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await database.prisma.webhookDelivery.count({ where: { endpointId: id } })).toBe(1)
})

test('pages through the log, newest first, while new deliveries are added', async () => {
  const { database, deps, projectId, add } = await open()
  const { id } = await add()
  const publish = () =>
    database.prisma.$transaction((tx) => publishEvent(tx, { projectId, type: 'job.created', data: {} as never }))
  for (let i = 0; i < 5; i += 1) await publish()
  const page = (query: object) => listDeliveries(deps, { projectId, id, ...ListDeliveriesQuery.parse(query) })
  const first = await page({ limit: 2 })
  await publish()
  const second = await page({ limit: 2, cursor: first.nextCursor })
  const third = await page({ limit: 2, cursor: second.nextCursor })
  const seen = [...first.deliveries, ...second.deliveries, ...third.deliveries].map((delivery) => delivery.id)
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
  expect(seen).toHaveLength(5)
  expect(third.nextCursor).toBeNull()
  expect((await page({ status: 'failed' })).deliveries).toEqual([])
  await expect(page({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('the database rejects an unsealed secret and a disabled endpoint without a valid reason', async () => {
  const { database, add } = await open()
  const { id } = await add()
  const set = (data: object) => database.prisma.webhookEndpoint.update({ where: { id }, data })
  await expect(set({ sealedSecret: Buffer.from(`whsec_${'a'.repeat(60)}`) })).rejects.toThrow(/secret_is_sealed/)
  await expect(set({ disabledAt: new Date() })).rejects.toThrow(/disabled_has_reason/)
  await expect(set({ disabledAt: new Date(), disabledReason: 'bored' })).rejects.toThrow(/reason_is_known/)
})
