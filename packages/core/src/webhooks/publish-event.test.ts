import { ListDeliveriesQuery, type WebhookEventType } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createDeployment } from '../deployments/create-deployment.ts'
import { getDeployment } from '../deployments/deployments.ts'
import { finishDeployment } from '../deployments/record-deployment.ts'
import { claimNext, createTestTarget } from '../deployments/test-support/create-test-deployment.ts'
import { archiveJob } from '../jobs/archive-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { getJob } from '../jobs/get-job.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { insertEvent, listSubscribed, publishEvent } from '../webhook-events/publish-event.ts'
import { listDeliveries } from './deliveries.ts'
import { createWebhook, deleteWebhook, updateWebhook } from './manage-webhooks.ts'

async function open(database = openTestDatabase()) {
  const { id: projectId } = await createTestProject(database)
  const deps = { audit: COMMAND_LINE, prisma: database.prisma, webhookKey: Buffer.alloc(32, 1), allowedHookHosts: [] }
  const add = (events: WebhookEventType[] = []) =>
    createWebhook(deps, { projectId, url: 'https://example.com/hook', description: '', events })
  const listDelivered = async (id: string) => {
    const { deliveries } = await listDeliveries(deps, { projectId, id, ...ListDeliveriesQuery.parse({ limit: 100 }) })
    return deliveries.map((delivery) => delivery.eventType).reverse()
  }
  const payloads = async (type: string) => {
    const events = await database.prisma.webhookEvent.findMany({ where: { projectId, type } })
    return events.map((event) => JSON.parse(event.payload))
  }
  return { database, deps, projectId, add, listDelivered, payloads }
}

test('adds a delivery for each subscribed endpoint and does not store an event without subscribers', async () => {
  const { database, deps, projectId, add, listDelivered, payloads } = await open()
  const publish = (type: WebhookEventType) =>
    database.prisma.$transaction((tx) => publishEvent(tx, { projectId, type, data: { a: 1 } as never }))
  await publish('job.created')
  expect(await payloads('job.created')).toEqual([])
  const [all, some, off, gone] = [await add(), await add(['job.failed', 'job.archived']), await add(), await add()]
  const other = await createTestProject(database)
  const foreign = await createWebhook(deps, {
    projectId: other.id,
    url: 'https://example.com',
    description: '',
    events: [],
  })
  await updateWebhook(deps, { projectId, id: off.id, change: { disabled: true } })
  await deleteWebhook(deps, { projectId, id: gone.id })
  await publish('job.created')
  await publish('job.failed')
  // Only endpoints that list this type receive it.
  await publish('audit.event')
  expect(await listDelivered(all.id)).toEqual(['job.created', 'job.failed'])
  expect(await listDelivered(some.id)).toEqual(['job.failed'])
  expect(await listDelivered(off.id)).toEqual([])
  expect(await database.prisma.webhookDelivery.count({ where: { endpointId: foreign.id } })).toBe(0)
  expect(await payloads('job.failed')).toEqual([{ type: 'job.failed', timestamp: expect.any(String), data: { a: 1 } }])
})

test('publishes nothing when the transaction is rolled back', async () => {
  const { database, projectId, add, listDelivered } = await open()
  const { id } = await add()
  const broken = database.prisma.$transaction(async (tx) => {
    await publishEvent(tx, { projectId, type: 'job.created', data: {} as never })
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  expect(await listDelivered(id)).toEqual([])
})

test('commits the change when an endpoint is removed concurrently', async () => {
  const { database, deps, projectId, add } = await open()
  const { id } = await add()
  const event = { projectId, type: 'job.created' as const, data: {} as never }
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'DELETE FROM.*webhook_endpoints'`
  let removed: Promise<void> | undefined
  await database.prisma.$transaction(async (tx) => {
    const endpoints = await listSubscribed(tx, event)
    removed = deleteWebhook(deps, { projectId, id })
    await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBeGreaterThan(0)
    await insertEvent(tx, event, endpoints)
  })
  await removed
  expect(await database.prisma.webhookDelivery.count({ where: { endpointId: id } })).toBe(0)
})

test("publishes events with the API's job record when a job is created, ends or is archived", async () => {
  const { database, deps, projectId, add, listDelivered, payloads } = await open()
  const { id } = await add(['job.created', 'job.completed', 'job.archived'])
  const run = await createTestRun(database, projectId)
  const job = () => getJob(database, { projectId, id: run.jobId })
  expect(await payloads('job.created')).toMatchObject([{ type: 'job.created', data: { job: await job() } }])
  const held = await claim(database, run.runId)
  await finishRun(database, held!, { kind: 'no_changes', summary: 'All is well.', checks: [] })
  expect(await payloads('job.completed')).toMatchObject([{ data: { job: await job() } }])
  await archiveJob(deps, { projectId, id: run.jobId })
  await archiveJob(deps, { projectId, id: run.jobId })
  expect(await payloads('job.archived')).toMatchObject([{ data: { job: await job() } }])
  expect(await listDelivered(id)).toEqual(['job.created', 'job.completed', 'job.archived'])
})

test('publishes one event each for a cancelled job and a failed job', async () => {
  const { database, deps, projectId, add, listDelivered, payloads } = await open()
  const { id } = await add(['job.failed'])
  const cancelled = await createTestRun(database, projectId)
  const queue = { wakeWorker: async () => {} }
  await cancelJob({ ...deps, pool: database.pool, queue }, { projectId, id: cancelled.jobId })
  await cancelJob({ ...deps, pool: database.pool, queue }, { projectId, id: cancelled.jobId })
  const failed = await createTestRun(database, projectId)
  const held = await claim(database, failed.runId)
  await finishRun(database, held!, { kind: 'failed', code: 'impossible', message: 'No.' })
  expect(await listDelivered(id)).toEqual(['job.failed', 'job.failed'])
  expect(
    (await payloads('job.failed')).map(({ data }) => [data.job.id, data.job.outcome, data.job.failure.code]),
  ).toEqual(
    expect.arrayContaining([
      [cancelled.jobId, 'cancelled', 'cancelled'],
      [failed.jobId, 'failed', 'impossible'],
    ]),
  )
})

test("publishes an event with the API's deployment record when a deployment ends", async () => {
  const { database, projectId, add, listDelivered, payloads } = await open(await openOwnTestDatabase())
  const { id } = await add()
  await createTestTarget(database, projectId)
  const { statusId } = await createDeployment(database, { projectId, jobId: null, trigger: 'api' })
  await finishDeployment(database, (await claimNext(database))!, { status: 'success', summary: 'Done.' })
  const deployment = await getDeployment(database, { projectId, statusId })
  expect(await payloads('deployment.finished')).toMatchObject([{ data: { deployment } }])
  expect(await listDelivered(id)).toEqual(['deployment.finished'])
})
