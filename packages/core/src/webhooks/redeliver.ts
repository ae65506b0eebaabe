import type { WebhookDelivery } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { toDisabled } from './send-test-event.ts'
import { toDelivery, WITH_EVENT_AND_LOG } from './to-delivery.ts'
import { toWebhookTarget } from './to-webhook-target.ts'

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
    const found = await tx.webhookDelivery.findFirst({
      where: {
        id: deliveryId,
        ...(webhookId === undefined ? {} : { endpointId: webhookId }),
        ...(projectId === null ? {} : { endpoint: { projectId } }),
      },
      select: { endpoint: { select: { id: true, url: true, projectId: true } } },
    })
    if (!found) throw new AppError('not_found', 'Not found.')
    // Locks the endpoint before the delivery, as recordAttempt does.
    const [endpoint] = await tx.$queryRaw<{ disabled_at: Date | null }[]>`
      SELECT disabled_at FROM webhook_endpoints WHERE id = ${found.endpoint.id} FOR NO KEY UPDATE`
    if (!endpoint) throw new AppError('not_found', 'Not found.')
    if (endpoint.disabled_at) throw toDisabled()
    await tx.$executeRaw`
      UPDATE webhook_deliveries
      SET status = 'pending', ended_at = NULL, forgiven = attempt, next_attempt_at = clock_timestamp()
      WHERE id = ${deliveryId} AND (lease_until IS NULL OR lease_until < clock_timestamp())`
    await recordAuditEvent(tx, audit, {
      ...{
        action: 'webhook.redelivered',
        projectId: found.endpoint.projectId,
        target: toWebhookTarget(found.endpoint),
      },
      after: { delivery: deliveryId },
    })
    const row = await tx.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId }, include: WITH_EVENT_AND_LOG })
    return toDelivery(row)
  })
}
