import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { forgetEvents, KEEP_DAYS, sendTestEvent } from './deliveries.ts'
import { createWebhook } from './manage-webhooks.ts'

test('deletes old events and their delivery logs unless a delivery is pending', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const deps = { audit: COMMAND_LINE, prisma: database.prisma, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  const { id } = await createWebhook(deps, { projectId, url: 'https://example.com/', description: '', events: [] })
  const old = new Date(Date.now() - (KEEP_DAYS + 1) * 86_400_000)
  const send = async (createdAt: Date, status: 'pending' | 'delivered') => {
    const delivery = await sendTestEvent(deps, { projectId, id })
    const endedAt = status === 'pending' ? null : new Date()
    await database.prisma.webhookDelivery.update({ where: { id: delivery.id }, data: { status, endedAt } })
    await database.prisma.webhookEvent.update({ where: { id: delivery.eventId }, data: { createdAt } })
    return delivery.eventId
  }
  const [forgotten, pending, recent] = [
    await send(old, 'delivered'),
    await send(old, 'pending'),
    await send(new Date(), 'delivered'),
  ]
  expect(await forgetEvents(deps)).toBeGreaterThanOrEqual(1)
  const left = await database.prisma.webhookEvent.findMany({ where: { projectId } })
  expect(left.map((event) => event.id).sort()).toEqual([pending, recent].sort())
  expect(left.map((event) => event.id)).not.toContain(forgotten)
  expect(await database.prisma.webhookDelivery.count({ where: { endpointId: id } })).toBe(2)
})
