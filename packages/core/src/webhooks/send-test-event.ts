import type { WebhookDelivery } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { insertEvent } from './publish-event.ts'
import { toDelivery, WITH_EVENT_AND_LOG } from './to-delivery.ts'

/**
 * Sends an event of type `webhook.test` to one endpoint, regardless of its subscriptions.
 * @throws AppError `not_found`; `webhook_disabled`
 */
export function sendTestEvent({ prisma }: Pick<Database, 'prisma'>, key: WebhookKey): Promise<WebhookDelivery> {
  return prisma.$transaction(async (tx) => {
    const { id, projectId, disabledAt } = await getEndpoint(tx, key, 'lock')
    if (disabledAt) throw toDisabled()
    const data = { webhook: { id }, message: 'This is a test event.' }
    const [deliveryId = ''] = await insertEvent(tx, { projectId, type: 'webhook.test', data }, [id])
    const row = await tx.webhookDelivery.findUniqueOrThrow({ where: { id: deliveryId }, include: WITH_EVENT_AND_LOG })
    return toDelivery(row)
  })
}

export const toDisabled = () =>
  new AppError('webhook_disabled', 'This webhook is disabled. Enable it first with {"disabled": false}.')
