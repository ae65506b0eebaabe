import type { UpdateWebhookRequest, Webhook } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { toChangedFields } from '../audit/to-changed-fields.ts'
import { failPending } from './fail-pending.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toEndpointUrl } from './to-endpoint-url.ts'
import { toWebhook } from './to-webhook.ts'
import { toRecordedFields, toWebhookTarget } from './to-webhook-target.ts'

/**
 * Updates the given fields. Disabling ends pending deliveries. Enabling clears the failure state.
 * Deliveries that failed while the endpoint was disabled can be redelivered.
 * @throws AppError `not_found`, `invalid_request` for the URL
 */
export async function updateWebhook(
  deps: AuditedDeps & { allowedHookHosts: readonly string[] },
  input: WebhookKey & { change: UpdateWebhookRequest },
): Promise<Webhook> {
  const { url, description, events, disabled } = input.change
  const data = {
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(disabled === false ? { disabledAt: null, disabledReason: null, failingSince: null } : {}),
  }
  return deps.prisma.$transaction(async (tx) => {
    const row = await getEndpoint(tx, input, 'lock')
    const rules = { allowedHosts: deps.allowedHookHosts, projectId: row.projectId }
    // Earlier failures apply to the previous URL.
    const moved = url === undefined ? {} : { url: toEndpointUrl(url, rules), failingSince: null }
    const stop = disabled === true && row.disabledAt === null
    if (stop) await failPending(tx, row.id)
    const stopped = stop ? { disabledAt: new Date(), disabledReason: 'manual' } : {}
    const change = { ...data, ...moved, ...stopped }
    const updated = await tx.webhookEndpoint.update({ where: { id: row.id }, data: change })
    const changed = toChangedFields(toRecordedFields(row), toRecordedFields(updated))
    // Another path on the same origin is a change, too, but the path may be secret.
    if (Object.keys(changed.after).length > 0 || row.url !== updated.url) {
      const target = toWebhookTarget(updated)
      await recordAuditEvent(tx, deps.audit, {
        action: 'webhook.updated',
        projectId: row.projectId,
        target,
        ...changed,
      })
    }
    return toWebhook(updated)
  })
}
