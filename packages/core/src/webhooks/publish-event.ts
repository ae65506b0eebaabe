import type { WebhookEventType } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'

export interface NewWebhookEvent {
  readonly projectId: string
  readonly type: WebhookEventType
  /** What receivers get as `data`. JSON. */
  readonly data: Readonly<Record<string, unknown>>
  /** Keep the event even when no endpoint wants it. */
  readonly keep?: boolean
}

/**
 * Tells the endpoints that are subscribed at this moment. Call it in the transaction that does what it tells: either both happened or neither, and
 * the workers deliver what is committed, at least once. Does nothing when nobody listens.
 */
export async function publishEvent(tx: Db, event: NewWebhookEvent): Promise<void> {
  const endpoints = await listSubscribed(tx, event)
  if (endpoints.length > 0 || event.keep) await insertEvent(tx, event, endpoints)
}

/** Ids of the endpoints that want this type now; none of them can be removed before the transaction ends. */
export async function listSubscribed(
  tx: Db,
  { projectId, type }: Pick<NewWebhookEvent, 'projectId' | 'type'>,
): Promise<string[]> {
  // Held against removal, which would make the insert of the deliveries fail and what is told with it.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM webhook_endpoints
    WHERE project_id = ${projectId} AND disabled_at IS NULL AND (cardinality(events) = 0 OR ${type} = ANY (events))
    ORDER BY id FOR KEY SHARE`
  return rows.map((row) => row.id)
}

/** Writes the event, its body as it will be sent, and a delivery for each endpoint. @returns the ids of the deliveries, in the endpoints' order */
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
