import type { Db } from '../db/open-database.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { failPending } from './fail-pending.ts'

/**
 * Disables an endpoint that keeps failing or has returned 410, and publishes an event to the
 * project's other endpoints. The caller must have locked the endpoint's row.
 * @returns false when the endpoint was already disabled
 */
export async function disableEndpoint(
  tx: Db,
  endpoint: { id: string; projectId: string; url: string },
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const { id, projectId } = endpoint
  const disabledAt = new Date()
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, disabledAt: null },
    data: { disabledAt, disabledReason: reason, updatedAt: disabledAt },
  })
  if (count === 0) return false
  await failPending(tx, id)
  const data = { webhook: { id, host: new URL(endpoint.url).host, disabledAt: disabledAt.toISOString(), reason } }
  await publishEvent(tx, { projectId, type: 'webhook.disabled', data, keep: true })
  return true
}
