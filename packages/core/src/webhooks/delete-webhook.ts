import type { Database } from '../db/open-database.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'

/**
 * Removes an endpoint and its delivery log. A request in progress may still arrive.
 * @throws AppError `not_found`
 */
export async function deleteWebhook({ prisma }: Pick<Database, 'prisma'>, key: WebhookKey): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const { id } = await getEndpoint(tx, key, 'lock')
    await tx.webhookEndpoint.delete({ where: { id } })
  })
}
