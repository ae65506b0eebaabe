import type { WebhookEventType } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'

export interface NewWebhookEvent {
  readonly projectId: string
  readonly type: WebhookEventType
  /** JSON for the payload's `data` field. */
  readonly data: Readonly<Record<string, unknown>>
  /** Stores the event even when no endpoint is subscribed to it. */
  readonly keep?: boolean
}

/**
 * Publishes an event to the currently subscribed endpoints. Call it in the transaction that makes
 * the reported change, so that both are committed or neither is. The workers deliver committed
 * events at least once. Does nothing when no endpoint is subscribed.
 */
export async function publishEvent(tx: Db, event: NewWebhookEvent): Promise<void> {
  const endpoints = await listSubscribed(tx, event)
  if (endpoints.length > 0 || event.keep) await insertEvent(tx, event, endpoints)
}

/**
 * Returns the ids of the endpoints subscribed to this event type. None of them can be removed
 * before the transaction ends.
 */
export async function listSubscribed(
  tx: Db,
  { projectId, type }: Pick<NewWebhookEvent, 'projectId' | 'type'>,
): Promise<string[]> {
  // The lock prevents a removal, which would make the insert of the deliveries fail and roll back
  // the whole transaction.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM webhook_endpoints
    WHERE project_id = ${projectId} AND disabled_at IS NULL AND (cardinality(events) = 0 OR ${type} = ANY (events))
    ORDER BY id FOR KEY SHARE`
  return rows.map((row) => row.id)
}

/**
 * Inserts the event, its payload as it will be sent, and a delivery for each endpoint.
 * @returns the delivery ids, in the same order as the endpoints
 */
export async function insertEvent(
  tx: Db,
  event: Pick<NewWebhookEvent, 'projectId' | 'data'> & { readonly type: WebhookEventType | 'webhook.test' },
  endpoints: readonly string[],
): Promise<string[]> {
  const { projectId, type, data } = event
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  const id = newId('evt', now.getTime())
  const payload = JSON.stringify({ type, timestamp: now.toISOString(), data })
  await tx.webhookEvent.create({ data: { id, projectId, type, payload, createdAt: now } })
  const deliveries = endpoints.map((endpointId) => ({
    id: newId('whd', now.getTime()),
    endpointId,
    eventId: id,
    createdAt: now,
    nextAttemptAt: now,
  }))
  await tx.webhookDelivery.createMany({ data: deliveries })
  return deliveries.map((delivery) => delivery.id)
}
