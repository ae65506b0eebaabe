import type { Webhook } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database, Db } from '../db/open-database.ts'
import type { WebhookEndpointModel } from '../generated/prisma/models/WebhookEndpoint.ts'
import { toWebhook } from './to-webhook.ts'

/** Identifies an endpoint. Commands that use the database directly pass no project. */
export interface WebhookKey {
  readonly projectId: string | null
  readonly id: string
}

/** @throws AppError `not_found`, including for an endpoint of another project */
export async function getWebhook({ prisma }: Pick<Database, 'prisma'>, key: WebhookKey): Promise<Webhook> {
  return toWebhook(await getEndpoint(prisma, key))
}

/**
 * Returns the row. Locks it on request, inside a transaction.
 * @throws AppError `not_found`
 */
export async function getEndpoint(db: Db, { projectId, id }: WebhookKey, lock?: 'lock'): Promise<WebhookEndpointModel> {
  if (lock) await db.$queryRaw`SELECT 1 FROM webhook_endpoints WHERE id = ${id} FOR NO KEY UPDATE`
  const row = await db.webhookEndpoint.findFirst({ where: projectId === null ? { id } : { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return row
}
