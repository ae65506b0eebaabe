import { Webhook } from '@corrigenda/contracts'
import type { WebhookEndpointModel } from '../generated/prisma/models/WebhookEndpoint.ts'

const Reason = Webhook.shape.disabledReason

/** Converts a row to its API representation, without its secret. */
export function toWebhook(row: WebhookEndpointModel): Webhook {
  return {
    id: row.id,
    projectId: row.projectId,
    url: row.url,
    description: row.description,
    events: row.events,
    secret: 'whsec_********',
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: Reason.parse(row.disabledReason),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
