import type { WebhookEvent } from '@corrigenda/contracts'
import { newId } from '../base/new-id.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import type { SqlTx } from '../db/run-transaction.ts'

type NewWebhookEvent = WebhookEvent & {
  readonly projectId: string
  /** Stores the event even when no endpoint is subscribed to it. */
  readonly keep?: boolean
}

/**
 * Publishes an event to the currently subscribed endpoints. Call it in the transaction that makes
 * the reported change, so that both are committed or neither is. The workers deliver committed
 * events at least once. Does nothing when no endpoint is subscribed.
 */
export async function publishEvent(tx: SqlTx, event: NewWebhookEvent): Promise<void> {
  const endpoints = await listSubscribed(tx, event)
  if (endpoints.length > 0 || event.keep) await insertEvent(tx, event, endpoints)
}

/**
 * Returns the ids of the endpoints subscribed to this event type. None of them can be removed
 * before the transaction ends. An endpoint without a list of types receives all types except
 * `audit.event`.
 */
export async function listSubscribed(
  tx: SqlTx,
  { projectId, type }: Pick<NewWebhookEvent, 'projectId' | 'type'>,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM webhook_endpoints
    WHERE project_id = ${projectId} AND disabled_at IS NULL
      AND (${type} = ANY (events) OR (cardinality(events) = 0 AND ${type} <> 'audit.event'))
    ORDER BY id FOR KEY SHARE`
  return rows.map(({ id }) => id)
}

/**
 * Inserts the event, its payload as it will be sent, and a delivery for each endpoint.
 * @returns the delivery ids, in the same order as the endpoints
 */
export async function insertEvent(tx: SqlTx, event: NewWebhookEvent, endpoints: readonly string[]): Promise<string[]> {
  const { projectId, type, data } = event
  const now = await readDatabaseTime(tx)
  const id = newId('evt', now.getTime())
  const payload = JSON.stringify({ type, timestamp: now.toISOString(), data })
  const deliveries = endpoints.map(() => newId('whd', now.getTime()))
  await tx.$executeRaw`
    INSERT INTO webhook_events (id, project_id, type, payload, created_at)
    VALUES (${id}, ${projectId}, ${type}, ${payload}, ${now})`
  await tx.$executeRaw`
    INSERT INTO webhook_deliveries (id, endpoint_id, event_id, created_at, next_attempt_at)
    SELECT delivery, endpoint, ${id}, ${now}, ${now}
    FROM unnest(${deliveries}::text[], ${[...endpoints]}::text[]) AS rows (delivery, endpoint)`
  return deliveries
}
