import type { WebhookDelivery } from '@corrigenda/contracts'
import type { WebhookAttemptModel } from '../generated/prisma/models/WebhookAttempt.ts'
import type { WebhookDeliveryModel } from '../generated/prisma/models/WebhookDelivery.ts'

/** Relations required by {@link toDelivery}. */
export const WITH_EVENT_AND_LOG = {
  event: { select: { type: true } },
  log: { orderBy: { attempt: 'asc' } },
} as const

/** Converts a row to its API representation. */
export function toDelivery(
  row: WebhookDeliveryModel & { event: { type: string }; log: WebhookAttemptModel[] },
): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.eventId,
    eventType: row.event.type,
    status: row.status,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    attempts: row.log.map(({ attempt, createdAt, status, error, ms, answer }) => ({
      attempt,
      createdAt: createdAt.toISOString(),
      status,
      error,
      ms,
      answer,
    })),
  }
}
