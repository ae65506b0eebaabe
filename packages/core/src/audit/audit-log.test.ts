import { expect, test } from 'vitest'
import { createKey } from '../keys/create-key.ts'
import { removeExpired } from '../retention/remove-expired.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { createWebhook } from '../webhooks/manage-webhooks.ts'
import { COMMAND_LINE } from './audit-context.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { recordAuditEvent } from './record-audit-event.ts'
import { FAILED_SIGN_INS_PER_HOUR, recordFailedSignIn } from './record-failed-sign-in.ts'
import { toChangedFields } from './to-changed-fields.ts'

const KEY = { name: 'ci', scopes: ['jobs:read'], expiresInDays: 30 } as const

test('rows cannot be changed, and can be deleted only after 90 days', async () => {
  const { prisma, pool } = await openOwnTestDatabase()
  await prisma.$transaction((tx) => recordAuditEvent(tx, COMMAND_LINE, { action: 'signing_key.created' }))
  await expect(pool.query(`UPDATE audit_events SET actor_name = 'x'`)).rejects.toThrow('append-only')
  await expect(pool.query('DELETE FROM audit_events')).rejects.toThrow('append-only')
  await expect(pool.query('TRUNCATE audit_events')).rejects.toThrow('append-only')
  await pool.query(`
    INSERT INTO audit_events (id, action, actor_type, actor_name, created_at)
    VALUES ('aud_old', 'key.created', 'system', 'x', now() - interval '91 days')`)
  const retention = { transcriptDays: null, jobDays: null }
  while (await removeExpired({ prisma }, { ...retention, auditDays: null }));
  expect(await prisma.auditEvent.count()).toBe(2)
  while (await removeExpired({ prisma }, { ...retention, auditDays: 90 }));
  expect((await prisma.auditEvent.findMany()).map(({ action }) => action)).toEqual(['signing_key.created'])
})

test('an act and its row are committed together or not at all', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const deps = { ...database, keyPepper: Buffer.alloc(32, 1) }
  // The column rejects NUL, which the record function replaces, so only an invalid type fails.
  const broken = { ...COMMAND_LINE, actor: { type: 'robot' as never, id: null, name: 'x' } }
  await expect(createKey({ ...deps, audit: broken }, { projectId, ...KEY })).rejects.toThrow()
  expect(await database.prisma.apiKey.count({ where: { projectId } })).toBe(0)
  await expect(createKey(deps, { projectId, ...KEY, allowedCidrs: ['nonsense'] })).rejects.toThrow()
  const { events } = await listAuditEvents(database, { projectId, limit: 10 })
  expect(events.map(({ action }) => action)).toEqual(['project.created'])
})

test('endpoints receive audit events only if they list the type', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const hooks = { ...database, webhookKey: Buffer.alloc(32, 2), allowedHookHosts: [] }
  const url = 'https://hooks.example.com/audit'
  await createWebhook(hooks, { projectId, url, description: '', events: [] })
  const { id } = await createWebhook(hooks, { projectId, url, description: '', events: ['audit.event'] })
  const created = await createKey({ ...database, keyPepper: Buffer.alloc(32, 1) }, { projectId, ...KEY })
  const deliveries = await database.prisma.webhookDelivery.findMany({
    where: { endpoint: { projectId } },
    include: { event: true },
  })
  expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([id, id])
  const [, last] = deliveries.map(({ event }) => JSON.parse(event.payload))
  expect(last).toMatchObject({
    type: 'audit.event',
    data: { auditEvent: { action: 'key.created', target: { id: created.id }, after: { scopes: ['jobs:read'] } } },
  })
})

test('a flood of failed sign-ins is recorded up to a limit', async () => {
  const database = await openOwnTestDatabase()
  await database.pool.query(`
    INSERT INTO audit_events (id, action, actor_type, actor_name)
    SELECT 'aud_' || n, 'session.sign_in_failed', 'anonymous', 'x' FROM generate_series(1, ${FAILED_SIGN_INS_PER_HOUR - 1}) AS n`)
  const actor = { type: 'anonymous', id: null, name: 'not signed in' } as const
  const deps = { ...database, audit: { actor, ipAddress: '203.0.113.7', requestId: 'r' } }
  for (let n = 0; n < 3; n += 1) await recordFailedSignIn(deps, { email: 'a@example.com' })
  expect(await database.prisma.auditEvent.count()).toBe(FAILED_SIGN_INS_PER_HOUR)
})

test('lists only the fields that changed', () => {
  const before = { name: 'a', budgets: { maxTurns: 5 }, labels: ['x'] }
  expect(toChangedFields(before, { name: 'a', budgets: { maxTurns: 6 }, labels: ['x'], draft: true })).toEqual({
    before: { 'budgets.maxTurns': 5, draft: null },
    after: { 'budgets.maxTurns': 6, draft: true },
  })
})
