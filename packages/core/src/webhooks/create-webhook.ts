import { type CreatedWebhook, type CreateWebhookRequest, MAX_WEBHOOKS } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { newWebhookSecret, sealSecret } from '../sealing/seal-secret.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { toEndpointUrl } from './to-endpoint-url.ts'
import { toWebhook } from './to-webhook.ts'
import { toRecordedFields, toWebhookTarget } from './to-webhook-target.ts'

export interface WebhookDeps extends AuditedDeps {
  /** Seals the stored secrets. */
  readonly webhookKey: SealingKey
  readonly allowedHookHosts: readonly string[]
}

/**
 * Adds an endpoint to a project. Returns its secret, which is not returned again.
 * @param input.secret in the format of `WebhookSecret`. Default: a random secret
 * @throws AppError `not_found` for the project, `invalid_request` for the URL, `webhook_limit`
 */
export async function createWebhook(
  { prisma, audit, webhookKey, allowedHookHosts }: WebhookDeps,
  input: { projectId: string; secret?: string } & CreateWebhookRequest,
): Promise<CreatedWebhook> {
  const { projectId, description } = input
  const url = toEndpointUrl(input.url, { allowedHosts: allowedHookHosts, projectId })
  return prisma.$transaction(async (tx) => {
    // Locks the project's row to serialize counting and inserting.
    const [project] = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR NO KEY UPDATE`
    if (!project) throw new AppError('not_found', 'Not found.')
    if ((await tx.webhookEndpoint.count({ where: { projectId } })) >= MAX_WEBHOOKS) {
      throw new AppError('webhook_limit', `A project can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`)
    }
    const id = newId('whe')
    const secret = input.secret ?? newWebhookSecret()
    const events = [...new Set(input.events)]
    const sealedSecret = sealSecret(await toActiveKey(tx, webhookKey), id, secret)
    const row = await tx.webhookEndpoint.create({ data: { id, projectId, url, description, events, sealedSecret } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'webhook.created', projectId, target: toWebhookTarget(row) },
      after: toRecordedFields(row),
    })
    return { ...toWebhook(row), secret }
  })
}
