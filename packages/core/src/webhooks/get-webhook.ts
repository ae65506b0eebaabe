import type { Webhook } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database, Db } from '../db/open-database.ts'
import type { WebhookEndpointModel } from '../generated/prisma/models/WebhookEndpoint.ts'
import { toWebhook } from './to-webhook.ts'

/** Identifies an endpoint. The project is null in commands that access the database directly. */
export interface WebhookKey {
  readonly projectId: string | null
  readonly id: string
}

/** @throws AppError `not_found`, including for another project's endpoint */
export async function getWebhook({ prisma }: Pick<Database, 'prisma'>, key: WebhookKey): Promise<Webhook> {
  return toWebhook(await getEndpoint(prisma, key))
}

/**
 * Returns the endpoint's row, optionally locked until the transaction ends.
 * @throws AppError `not_found`
 */
export async function getEndpoint(db: Db, { projectId, id }: WebhookKey, lock?: 'lock'): Promise<WebhookEndpointModel> {
  if (lock) {
    await db.$queryRaw`
      SELECT 1 FROM webhook_endpoints
      WHERE id = ${id} AND (${projectId}::text IS NULL OR project_id = ${projectId}::text) FOR NO KEY UPDATE`
  }
  const row = await db.webhookEndpoint.findFirst({ where: projectId === null ? { id } : { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return row
}
