import type { ListDeliveriesQuery, WebhookDelivery, WebhookDeliveryPage } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import type { WebhookAttemptModel } from '../generated/prisma/models/WebhookAttempt.ts'
import type { WebhookDeliveryModel } from '../generated/prisma/models/WebhookDelivery.ts'
import { countEvent } from '../metrics/count-event.ts'
import { insertEvent } from '../webhook-events/publish-event.ts'
import { getEndpoint, lockEndpoint, toTarget, type WebhookKey } from './manage-webhooks.ts'

/** Retention period for events and their delivery logs, in days. */
export const KEEP_DAYS = 30

/**
 * Lists an endpoint's deliveries, newest first. The cursor identifies the last delivery on the
 * previous page, so that new deliveries do not shift the pages.
 * @throws AppError `not_found`; `invalid_request` when the cursor is malformed
 */
export async function listDeliveries(
  { prisma }: PrismaDeps,
  input: WebhookKey & ListDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const { id: endpointId } = await getEndpoint(prisma, input)
  const { status, limit, cursor } = input
  const before = cursor === undefined ? null : readCursor(cursor)
  const rows = await prisma.webhookDelivery.findMany({
    where: {
      endpointId,
      ...(status ? { status } : {}),
      ...(before
        ? { OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }] }
        : {}),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    include: WITH_EVENT_AND_LOG,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    deliveries: page.map(toDelivery),
    nextCursor: rows.length > limit && last ? toCursor(last.createdAt, last.id) : null,
  }
}

/**
 * Sends an event of type `webhook.test` to one endpoint, regardless of its subscriptions.
 * @throws AppError `not_found`; `webhook_disabled`
 */
export function sendTestEvent({ prisma, audit }: AuditedDeps, key: WebhookKey): Promise<WebhookDelivery> {
  return prisma.$transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, key)
    const { id, projectId, disabledAt } = endpoint
    if (disabledAt) throw toDisabled()
    const data = { webhook: { id }, message: 'This is a test event.' }
    const [deliveryId = ''] = await insertEvent(tx, { projectId, type: 'webhook.test', data }, [id])
    await recordAuditEvent(tx, audit, { action: 'webhook.tested', projectId, target: toTarget(endpoint) })
    return readDelivery(tx, deliveryId)
  })
}

/**
 * Schedules a delivery to be resent immediately, with a new set of attempts, regardless of its
 * result. The event and its `webhook-id` stay the same. A pending delivery becomes due now. A
 * delivery that a worker is currently sending is not changed.
 * @throws AppError `not_found`; `webhook_disabled`
 */
export function redeliver(
  { prisma, audit }: AuditedDeps,
  input: { projectId: string | null; deliveryId: string; webhookId?: string },
): Promise<WebhookDelivery> {
  const { projectId, deliveryId, webhookId } = input
  return prisma.$transaction(async (tx) => {
    const found = await tx.webhookDelivery.findUnique({ where: { id: deliveryId }, select: { endpointId: true } })
    if (!found || (webhookId !== undefined && webhookId !== found.endpointId)) {
      throw new AppError('not_found', 'Not found.')
    }
    // Locks the endpoint before the delivery, as recordAttempt does.
    const endpoint = await lockEndpoint(tx, { projectId, id: found.endpointId })
    if (endpoint.disabledAt) throw toDisabled()
    const now = await readDatabaseTime(tx)
    const { attempt } = await tx.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId } })
    await tx.webhookDelivery.updateMany({
      // A worker that claims the delivery meanwhile changes its attempt.
      where: { id: deliveryId, attempt, OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] },
      data: { status: 'pending', endedAt: null, forgiven: attempt, nextAttemptAt: now },
    })
    await recordAuditEvent(tx, audit, {
      action: 'webhook.redelivered',
      projectId: endpoint.projectId,
      target: toTarget(endpoint),
      after: { delivery: deliveryId },
    })
    return readDelivery(tx, deliveryId)
  })
}

/**
 * Ends deliveries that have no attempts left because their workers crashed, and deliveries whose
 * endpoint was disabled while the event was being written.
 * @returns the number of ended deliveries
 */
export async function failHopeless({ prisma }: PrismaDeps, input: { maxTries: number }): Promise<number> {
  const failed = await prisma.$queryRaw<{ projectId: string }[]>`
    UPDATE webhook_deliveries
    SET status = 'failed', ended_at = clock_timestamp(), lease_until = NULL, lease_owner = NULL,
      last_error = CASE WHEN attempt - forgiven >= ${input.maxTries} THEN 'worker_lost' ELSE 'endpoint_disabled' END
    FROM (
      SELECT d.id, e.project_id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.status = 'pending' AND (d.attempt - d.forgiven >= ${input.maxTries} OR e.disabled_at IS NOT NULL)
        AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
      LIMIT 100 FOR UPDATE OF d SKIP LOCKED
    ) hopeless
    WHERE webhook_deliveries.id = hopeless.id RETURNING project_id AS "projectId"`
  for (const { projectId } of failed) countEvent('corrigenda_webhook_deliveries_total', { projectId, status: 'failed' })
  return failed.length
}

/**
 * Deletes one batch of old events and their deliveries.
 * @returns the number of deleted events
 */
export function forgetEvents({ prisma }: PrismaDeps): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM webhook_events WHERE ctid = ANY (ARRAY(
      SELECT v.ctid FROM webhook_events v
      WHERE v.created_at < (SELECT clock_timestamp()) - make_interval(days => ${KEEP_DAYS})
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = v.id AND d.status = 'pending')
      ORDER BY v.created_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ))`
}

const WITH_EVENT_AND_LOG = {
  event: { select: { type: true } },
  log: { orderBy: { attempt: 'asc' } },
} as const

async function readDelivery(tx: Db, id: string): Promise<WebhookDelivery> {
  return toDelivery(await tx.webhookDelivery.findUniqueOrThrow({ where: { id }, include: WITH_EVENT_AND_LOG }))
}

/** Converts a row to its API representation. */
function toDelivery(
  row: WebhookDeliveryModel & { event: { type: string }; log: WebhookAttemptModel[] },
): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.eventId,
    eventType: row.event.type,
    status: row.status,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    attempts: row.log.map(({ attempt, createdAt, status, error, ms, answer }) => ({
      attempt,
      createdAt: createdAt.toISOString(),
      status,
      error,
      ms,
      answer,
    })),
  }
}

const toDisabled = () =>
  new AppError('webhook_disabled', 'This webhook is disabled. Enable it first with {"disabled": false}.')

const toCursor = (createdAt: Date, id: string): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, ms, id] = /^(\d{1,14}) (whd_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  return { createdAt: new Date(Number(ms)), id }
}
