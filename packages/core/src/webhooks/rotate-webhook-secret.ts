import type { RotatedWebhookSecret } from '@corrigenda/contracts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { newWebhookSecret, sealSecret } from '../sealing/seal-secret.ts'
import { toActiveKey } from '../sealing/sealing-key.ts'
import type { WebhookDeps } from './create-webhook.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toWebhookTarget } from './to-webhook-target.ts'

/** Time during which deliveries are also signed with the old secret, in hours. */
const GRACE_HOURS = 24

/**
 * Rotates an endpoint's secret. For a day, every delivery is signed with both secrets, so that
 * receivers can switch at any time.
 * @param input.secret in the format of `WebhookSecret`. Default: a random secret
 * @throws AppError `not_found`
 */
export function rotateWebhookSecret(
  { prisma, audit, webhookKey }: Omit<WebhookDeps, 'allowedHookHosts'>,
  input: WebhookKey & { readonly secret?: string },
): Promise<RotatedWebhookSecret> {
  return prisma.$transaction(async (tx) => {
    const endpoint = await getEndpoint(tx, input, 'lock')
    const { id, projectId, sealedSecret } = endpoint
    const secret = input.secret ?? newWebhookSecret()
    const previousUntil = new Date(Date.now() + GRACE_HOURS * 3_600_000)
    await tx.webhookEndpoint.update({
      where: { id },
      data: {
        sealedSecret: sealSecret(await toActiveKey(tx, webhookKey), id, secret),
        previousSealedSecret: sealedSecret,
        previousUntil,
      },
    })
    await recordAuditEvent(tx, audit, {
      action: 'webhook.secret_rotated',
      projectId,
      target: toWebhookTarget(endpoint),
    })
    return { id, secret, previousValidUntil: previousUntil.toISOString() }
  })
}
