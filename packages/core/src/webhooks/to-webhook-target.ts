import type { AuditTarget } from '@corrigenda/contracts'
import type { WebhookEndpointModel } from '../generated/prisma/models/WebhookEndpoint.ts'

/**
 * Names an endpoint in the audit log by its origin, because the path and the query of its URL can
 * contain a secret.
 */
export const toWebhookTarget = ({ id, url }: Pick<WebhookEndpointModel, 'id' | 'url'>): AuditTarget => ({
  ...{ type: 'webhook', id, name: new URL(url).origin },
})

/** Returns an endpoint's settings as the audit log records them. */
export const toRecordedFields = ({ url, description, events, disabledAt }: WebhookEndpointModel) => ({
  ...{ origin: new URL(url).origin, description, events, isDisabled: disabledAt !== null },
})
