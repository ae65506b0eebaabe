import type { WebhookEventType } from '@corrigenda/contracts'
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
  const [{ endpoints }] = await tx.$queryRaw<[{ endpoints: string[] }]>`
    SELECT list_subscribed(${projectId}, ${type}) AS endpoints`
  return endpoints
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
  const [{ deliveries }] = await tx.$queryRaw<[{ deliveries: string[] }]>`
    SELECT insert_event(${projectId}, ${type}, ${JSON.stringify(data)}, date_trunc('milliseconds', clock_timestamp()),
      ${[...endpoints]}::text[]) AS deliveries`
  return deliveries
}
