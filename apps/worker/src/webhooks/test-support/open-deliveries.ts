import {
  type CreatedWebhook,
  type CreateWebhookRequest,
  ListDeliveriesQuery,
  type WebhookDelivery,
} from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { publishEvent } from '@corrigenda/core/internal/webhook-events/publish-event'
import type { Polling } from '@corrigenda/core/leases'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { createWebhook, listDeliveries } from '@corrigenda/core/webhooks'
import { onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test-support/create-test-database.ts'
import type { DeliverDeps } from '../deliver.ts'
import { buildDeliverDeps, type DeliveryLimits, type DeliveryOptions, startDeliveries } from '../start-deliveries.ts'

export const WEBHOOK_KEY = Buffer.alloc(32, 3)

interface DeliveryHarness {
  readonly database: Database
  readonly url: string
  readonly deps: Pick<DeliverDeps, 'prisma' | 'webhookKey' | 'log' | 'allowedHookHosts'>
  readonly projectId: string
  /** Log lines. */
  readonly lines: string[]
  build(limits?: Partial<DeliveryLimits>): DeliverDeps
  /** Starts a worker's deliveries with short waits. */
  start(limits?: Partial<DeliveryLimits>, options?: Partial<DeliveryOptions>): Polling
  add(input: Partial<CreateWebhookRequest> & { url: string }): Promise<CreatedWebhook>
  publish(): Promise<void>
  /** Returns an endpoint's deliveries, newest first. */
  deliveries(id: string): Promise<WebhookDelivery[]>
  /** Expires all leases, as if the workers that hold deliveries had died earlier. */
  endLeases(): Promise<unknown>
}

/** A separate database, which the tests of a file share. */
export interface DeliveryDatabase {
  readonly url: string
  readonly database: Database
  close(): Promise<void>
}

export async function openDeliveryDatabase(): Promise<DeliveryDatabase> {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, maxConnections: 12, onError: () => {} })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { url, database, close }
}

/**
 * Creates a project that may use the given hook hosts. `start` delivers the project's webhooks as a
 * worker does.
 */
export async function openDeliveries(
  { url, database }: DeliveryDatabase,
  allowedHookHosts: readonly string[],
): Promise<DeliveryHarness> {
  const lines: string[] = []
  const log = openLog({ level: 'trace', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const { id: projectId } = await createProject(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: ['github.com'] },
    { name: 'test', repository: 'https://github.com/acme/docs', baseBranch: null },
  )
  const own = allowedHookHosts.map((host) => `${projectId}=${host}`)
  const opened = {
    audit: COMMAND_LINE,
    prisma: database.prisma,
    webhookKey: WEBHOOK_KEY,
    log,
    allowedHookHosts: own,
    proxies: null,
  }
  const workers: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    await Promise.all(workers.map((stop) => stop()))
    // The workers of later tests would claim the deliveries.
    await database.pool.query('TRUNCATE projects CASCADE')
  })
  const build = (limits: Partial<DeliveryLimits> = {}) =>
    buildDeliverDeps(opened, { retrySeconds: [0.01, 0.02, 0.05, 0.1], ...limits })
  const start = (limits: Partial<DeliveryLimits> = {}, options: Partial<DeliveryOptions> = {}) => {
    const shutdown = new AbortController().signal
    const common = { owner: `worker-${workers.length}`, concurrency: 8, pollMs: 20, graceMs: 100, shutdown }
    const started = startDeliveries(build(limits), { ...common, ...options })
    workers.push(started.stop)
    return started
  }
  return {
    database,
    url,
    deps: opened,
    projectId,
    lines,
    build,
    start,
    add: (input: Partial<CreateWebhookRequest> & { url: string }) =>
      createWebhook(opened, { projectId, description: '', events: [], ...input }),
    publish: () =>
      database.prisma.$transaction((tx) => publishEvent(tx, { projectId, type: 'job.created', data: {} as never })),
    endLeases: () =>
      database.prisma
        .$executeRaw`UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' WHERE status = 'pending'`,
    deliveries: async (id: string) => {
      const query = ListDeliveriesQuery.parse({ limit: 100 })
      return (await listDeliveries(opened, { projectId, id, ...query })).deliveries
    },
  }
}
