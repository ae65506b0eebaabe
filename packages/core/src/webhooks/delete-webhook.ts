import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toRecordedFields, toWebhookTarget } from './to-webhook-target.ts'

/**
 * Removes an endpoint and its delivery log. A request in progress may still arrive.
 * @throws AppError `not_found`
 */
export async function deleteWebhook({ prisma, audit }: AuditedDeps, key: WebhookKey): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const endpoint = await getEndpoint(tx, key, 'lock')
    const { id, projectId } = endpoint
    await tx.webhookEndpoint.delete({ where: { id } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'webhook.deleted', projectId, target: toWebhookTarget(endpoint) },
      before: toRecordedFields(endpoint),
    })
  })
}
