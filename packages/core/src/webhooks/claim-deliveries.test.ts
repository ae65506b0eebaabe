import { CreateWebhookRequest } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { redeliver } from './deliveries.ts'
import { createWebhook } from './manage-webhooks.ts'
import { recordAttempt } from './record-attempt.ts'

const webhookKey = Buffer.alloc(32, 1)
const LIMITS = {
  leaseSeconds: 45,
  endpointConcurrency: 2,
  projectConcurrency: 4,
  maxTries: 3,
  retrySeconds: [3600, 3600],
  disableAfterSeconds: 86_400,
}

async function open() {
  const database = await openOwnTestDatabase()
  const deps = { audit: COMMAND_LINE, prisma: database.prisma, webhookKey, allowedHookHosts: [], ...LIMITS }
  const makeProject = async (endpoints: number) => {
    const { id } = await createTestProject(database)
    for (let n = 0; n < endpoints; n += 1) {
      await createWebhook(deps, { projectId: id, ...CreateWebhookRequest.parse({ url: 'https://example.com/' }) })
    }
    return id
  }
  const publish = (projectId: string) =>
    database.prisma.$transaction((tx) => publishEvent(tx, { projectId, type: 'job.created', data: {} as never }))
  const claim = (limit: number) => claimDeliveries(deps, { owner: 'test', limit })
  const fail = (one: Awaited<ReturnType<typeof claim>>[number]) =>
    recordAttempt(deps, one, { result: { kind: 'failed', code: 'timeout' }, ms: 15_000, answer: '' })
  /**
   * Adds `count` deliveries for each of the project's endpoints. They are older than all others.
   */
  const addBacklog = (projectId: string, count: number) => database.prisma.$executeRaw`
    WITH events AS (
      INSERT INTO webhook_events (id, project_id, type, payload)
      SELECT 'evt_' || ${projectId} || n, ${projectId}, 'job.created', '{}' FROM generate_series(1, ${count}::int) AS n
      RETURNING id
    ) INSERT INTO webhook_deliveries (id, endpoint_id, event_id, next_attempt_at)
      SELECT 'whd_' || e.id || v.id, e.id, v.id, now() - interval '1 hour'
      FROM events v CROSS JOIN webhook_endpoints e WHERE e.project_id = ${projectId}`
  return { database, deps, makeProject, publish, claim, fail, addBacklog }
}

const countOf = (claims: readonly { projectId: string }[], projectId: string): number =>
  claims.filter((one) => one.projectId === projectId).length

test('ten unreachable endpoints with a thousand deliveries each do not delay another project', async () => {
  const { makeProject, publish, claim, fail, addBacklog } = await open()
  const [busy, other] = [await makeProject(10), await makeProject(1)]
  await addBacklog(busy, 1_000)
  const first = await claim(8)
  expect(countOf(first, busy)).toBe(4)
  expect(await claim(8)).toEqual([])
  await publish(other)
  expect(await claim(8)).toMatchObject([{ projectId: other }])
  // One of `busy`'s deliveries has timed out. The project with fewer active deliveries is next,
  // although `busy` has waited longer.
  await fail(first[0]!)
  await publish(other)
  expect(await claim(1)).toMatchObject([{ projectId: other }])
  expect(await claim(8)).toMatchObject([{ projectId: busy }])
})

test('sends deliveries to a failing endpoint one at a time, after those to working endpoints', async () => {
  const { database, makeProject, publish, claim, addBacklog } = await open()
  const projects = [await makeProject(1), await makeProject(1), await makeProject(1)]
  const well = await makeProject(1)
  for (const id of projects) await addBacklog(id, 5)
  await database.prisma
    .$executeRaw`UPDATE webhook_endpoints SET failing_since = now() WHERE project_id = ANY (${projects})`
  await publish(well)
  const [next] = await claim(1)
  expect(next?.projectId).toBe(well)
  const rest = await claim(8)
  expect(rest.map((one) => one.projectId).sort()).toEqual([...projects].sort())
})

test("respects a project's delivery limit under concurrent claims", async () => {
  const { makeProject, claim, addBacklog } = await open()
  const busy = await makeProject(5)
  await addBacklog(busy, 20)
  const claims = (await Promise.all(Array.from({ length: 6 }, () => claim(8)))).flat()
  expect(new Set(claims.map((one) => one.id)).size).toBe(claims.length)
  expect([claims.length, (await claim(8)).length]).toEqual([4, 0])
})

test('does not resend a delivery that a worker is sending, and resends it after its lease has expired', async () => {
  const { database, deps, makeProject, publish, claim, fail } = await open()
  const projectId = await makeProject(1)
  await publish(projectId)
  const [held] = await claim(1)
  const again = () => redeliver(deps, { projectId, deliveryId: held!.id })
  const read = () => database.prisma.webhookDelivery.findUniqueOrThrow({ where: { id: held!.id } })
  const before = await read()
  await again()
  expect(await read()).toEqual(before)
  await database.prisma.$executeRaw`UPDATE webhook_deliveries SET lease_until = now() - interval '1 second'`
  await again()
  expect(await read()).toMatchObject({ status: 'pending', attempt: 1, forgiven: 1 })
  expect(await claim(1)).toMatchObject([{ id: held!.id, attempt: 2, tries: 1 }])
  expect(await fail(held!)).toEqual({ kind: 'lost' })
})

test('logs a late attempt, but changes neither the delivery nor the endpoint', async () => {
  const { database, makeProject, publish, claim, fail } = await open()
  await publish(await makeProject(1))
  const [held] = await claim(1)
  await database.prisma.$executeRaw`UPDATE webhook_deliveries SET lease_until = now() - interval '1 second'`
  await claim(1)
  const read = () =>
    database.prisma.webhookDelivery.findUniqueOrThrow({ where: { id: held!.id }, include: { endpoint: true } })
  const before = await read()
  expect(await fail(held!)).toEqual({ kind: 'lost' })
  expect(await read()).toEqual(before)
  expect(await database.prisma.webhookAttempt.count({ where: { deliveryId: held!.id } })).toBe(1)
})

test('a failed attempt does not change when the settings of the endpoint were updated', async () => {
  const { database, makeProject, publish, claim, fail } = await open()
  await publish(await makeProject(1))
  const { updatedAt } = await database.prisma.webhookEndpoint.findFirstOrThrow()
  await fail((await claim(1))[0]!)
  const after = await database.prisma.webhookEndpoint.findFirstOrThrow()
  expect(after).toEqual({ ...after, updatedAt, failingSince: expect.any(Date) })
})
