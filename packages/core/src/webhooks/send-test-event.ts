import type { WebhookDelivery } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { insertEvent } from '../webhook-events/publish-event.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toDelivery, WITH_EVENT_AND_LOG } from './to-delivery.ts'
import { toWebhookTarget } from './to-webhook-target.ts'

/**
 * Sends an event of type `webhook.test` to one endpoint, regardless of its subscriptions.
 * @throws AppError `not_found`; `webhook_disabled`
 */
export function sendTestEvent({ prisma, audit }: AuditedDeps, key: WebhookKey): Promise<WebhookDelivery> {
  return prisma.$transaction(async (tx) => {
    const endpoint = await getEndpoint(tx, key, 'lock')
    const { id, projectId, disabledAt } = endpoint
    if (disabledAt) throw toDisabled()
    const data = { webhook: { id }, message: 'This is a test event.' }
    const [deliveryId = ''] = await insertEvent(tx, { projectId, type: 'webhook.test', data }, [id])
    await recordAuditEvent(tx, audit, { action: 'webhook.tested', projectId, target: toWebhookTarget(endpoint) })
    const row = await tx.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId }, include: WITH_EVENT_AND_LOG })
    return toDelivery(row)
  })
}

export const toDisabled = () =>
  new AppError('webhook_disabled', 'This webhook is disabled. Enable it first with {"disabled": false}.')
