import type { UpdatedWebhook, UpdateWebhookRequest } from '@corrigenda/contracts'
import { newWebhookSecret, sealSecret } from '../sealing/seal-secret.ts'
import { toActiveKey } from '../sealing/sealing-key.ts'
import type { WebhookDeps } from './create-webhook.ts'
import { failPending } from './fail-pending.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toEndpointUrl } from './to-endpoint-url.ts'
import { toWebhook } from './to-webhook.ts'

/**
 * Updates the given fields. Disabling ends pending deliveries. Enabling clears the failure state.
 * Deliveries that failed while the endpoint was disabled can be redelivered. A URL on another host
 * gets a new secret, which is not returned again. The old one is void at once, because the previous
 * receiver would accept requests that the new one forwards.
 * @throws AppError `not_found`, `invalid_request` for the URL
 */
export async function updateWebhook(
  deps: WebhookDeps,
  input: WebhookKey & { change: UpdateWebhookRequest },
): Promise<UpdatedWebhook> {
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
    const isElsewhere = moved.url !== undefined && new URL(moved.url).host !== new URL(row.url).host
    const secret = isElsewhere ? newWebhookSecret() : null
    const sealed =
      secret === null
        ? {}
        : {
            sealedSecret: sealSecret(await toActiveKey(tx, deps.webhookKey), row.id, secret),
            previousSealedSecret: null,
            previousUntil: null,
          }
    const stop = disabled === true && row.disabledAt === null
    if (stop) await failPending(tx, row.id)
    const stopped = stop ? { disabledAt: new Date(), disabledReason: 'manual' } : {}
    const change = { ...data, ...moved, ...sealed, ...stopped }
    const updated = toWebhook(await tx.webhookEndpoint.update({ where: { id: row.id }, data: change }))
    return { ...updated, ...(secret === null ? {} : { secret }) }
  })
}
