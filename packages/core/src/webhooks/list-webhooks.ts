import type { Webhook } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { toWebhook } from './to-webhook.ts'

/** Lists the endpoints of one project (or all projects if `projectId` is null), oldest first. */
export async function listWebhooks({ prisma }: Pick<Database, 'prisma'>, projectId: string | null): Promise<Webhook[]> {
  const where = projectId === null ? {} : { projectId }
  const rows = await prisma.webhookEndpoint.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map(toWebhook)
}
