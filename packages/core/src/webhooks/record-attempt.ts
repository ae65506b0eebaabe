import { toStorable } from '../base/to-storable.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { countEvent } from '../metrics/count-event.ts'
import { DELIVERIES, type DeliveryClaim } from './claim-deliveries.ts'
import { disableEndpoint, findLocked } from './manage-webhooks.ts'
import { type AttemptResult, type NextStep, toNextStep } from './to-next-step.ts'

export interface RecordAttemptDeps extends PrismaDeps {
  /** Delays before the second and later attempts, in seconds. */
  readonly retrySeconds: readonly number[]
  /**
   * An endpoint without a successful delivery for this long is disabled when a delivery has used
   * all its attempts.
   */
  readonly disableAfterSeconds: number
}

/** Result of recording an attempt. `lost` means that this attempt no longer holds the delivery. */
type Recorded = { readonly kind: 'lost' } | (NextStep & { readonly endpointDisabled: 'gone' | 'failing' | null })

/**
 * Adds an attempt to the log. Also records the delivery's next step if this attempt still holds the
 * delivery.
 * @param input.answer start of the response body, of which at most 1 KiB is kept
 */
export async function recordAttempt(
  deps: RecordAttemptDeps,
  claim: Pick<DeliveryClaim, 'id' | 'attempt' | 'tries' | 'endpointId' | 'projectId'>,
  input: { result: AttemptResult; ms: number; answer: string },
): Promise<Recorded> {
  const { result, ms } = input
  let failedWithEndpoint = 0
  const recorded = await deps.prisma.$transaction<Recorded>(async (tx) => {
    // Locks the endpoint before the delivery, as all transactions do.
    const endpoint = await findLocked(tx, { projectId: claim.projectId, id: claim.endpointId })
    const isHeld = await lockLease(tx, DELIVERIES, claim)
    // The attempt is logged even if the lease was lost, provided that the delivery still exists.
    const isThere = isHeld || (await tx.webhookDelivery.count({ where: { id: claim.id } })) === 1
    if (!endpoint || !isThere) return { kind: 'lost' }
    const lastStatus = result.kind === 'answered' ? result.status : null
    const lastError = result.kind === 'failed' ? result.code : null
    await tx.webhookAttempt.create({
      data: {
        deliveryId: claim.id,
        attempt: claim.attempt,
        status: lastStatus,
        error: lastError,
        ms,
        answer: toStorable(toStart(input.answer)),
      },
    })
    if (!isHeld) return { kind: 'lost' }
    const { retrySeconds, disableAfterSeconds } = deps
    const step = toNextStep(result, { tries: claim.tries, retrySeconds, random: Math.random() })
    const now = await readDatabaseTime(tx)
    await tx.webhookDelivery.update({
      where: { id: claim.id },
      data: {
        status: step.kind === 'delivered' ? 'delivered' : step.kind === 'retry' ? 'pending' : 'failed',
        leaseUntil: null,
        leaseOwner: null,
        lastStatus,
        lastError,
        nextAttemptAt: step.kind === 'retry' ? new Date(now.getTime() + step.afterMs) : now,
        endedAt: step.kind === 'retry' ? null : now,
      },
    })
    const failingSince = step.kind === 'delivered' ? null : (endpoint.failingSince ?? now)
    // A failure is not an update of the settings.
    const { updatedAt } = endpoint
    await tx.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failingSince, updatedAt } })
    const failedMs = now.getTime() - (endpoint.failingSince ?? now).getTime()
    const hasFailedLong = endpoint.failingSince !== null && failedMs >= disableAfterSeconds * 1000
    const reason = step.kind === 'gone' ? 'gone' : step.kind === 'exhausted' && hasFailedLong ? 'failing' : null
    if (reason === null || endpoint.disabledAt !== null) return { ...step, endpointDisabled: null }
    failedWithEndpoint = await disableEndpoint(tx, endpoint, reason)
    return { ...step, endpointDisabled: reason }
  })
  const { projectId } = claim
  if (recorded.kind !== 'lost' && recorded.kind !== 'retry') {
    const status = recorded.kind === 'delivered' ? 'delivered' : 'failed'
    countEvent('corrigenda_webhook_deliveries_total', { projectId, status })
  }
  countEvent('corrigenda_webhook_deliveries_total', { projectId, status: 'failed', value: failedWithEndpoint })
  return recorded
}

/** Returns the first 1 KiB of the text, without a truncated character at the end. */
const toStart = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, 1024), { stream: true })
