import type { ListDeliveriesQuery, WebhookDeliveryPage } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { getEndpoint, type WebhookKey } from './get-webhook.ts'
import { toDelivery, WITH_EVENT_AND_LOG } from './to-delivery.ts'

/**
 * Lists an endpoint's deliveries, newest first. The cursor identifies the last delivery on the
 * previous page, so that new deliveries do not shift the pages.
 * @throws AppError `not_found`; `invalid_request` when the cursor is malformed
 */
export async function listDeliveries(
  { prisma }: Pick<Database, 'prisma'>,
  input: WebhookKey & ListDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const { id: endpointId } = await getEndpoint(prisma, input)
  const { status, limit, cursor } = input
  const before = cursor === undefined ? null : readCursor(cursor)
  const rows = await prisma.webhookDelivery.findMany({
    where: {
      endpointId,
      ...(status ? { status } : {}),
      ...(before
        ? { OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }] }
        : {}),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    include: WITH_EVENT_AND_LOG,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    deliveries: page.map(toDelivery),
    nextCursor: rows.length > limit && last ? toCursor(last.createdAt, last.id) : null,
  }
}

const toCursor = (createdAt: Date, id: string): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, ms, id] = /^(\d{1,14}) (whd_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  return { createdAt: new Date(Number(ms)), id }
}
