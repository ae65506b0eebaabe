import { toStorable } from '../base/to-storable.ts'
import type { Database, Db } from '../db/open-database.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { DELIVERIES, type DeliveryClaim } from './claim-deliveries.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import { type AttemptResult, type NextStep, toNextStep } from './to-next-step.ts'

export interface RecordAttemptDeps extends Pick<Database, 'prisma'> {
  /** Delays before the second and later attempts, in seconds. */
  readonly retrySeconds: readonly number[]
  /**
   * An endpoint without a successful delivery for this long is disabled when a delivery has used
   * all its attempts.
   */
  readonly disableAfterSeconds: number
}

/** Result of recording an attempt. `lost` means that this attempt no longer holds the delivery. */
export type Recorded = { readonly kind: 'lost' } | (NextStep & { readonly endpointDisabled: 'gone' | 'failing' | null })

/**
 * Adds an attempt to the log. Also records the delivery's next step if this attempt still holds the
 * delivery.
 * @param input.answer start of the response body, of which at most 1 KiB is kept
 */
export function recordAttempt(
  deps: RecordAttemptDeps,
  claim: Pick<DeliveryClaim, 'id' | 'attempt' | 'tries' | 'endpointId' | 'projectId' | 'url'>,
  input: { result: AttemptResult; ms: number; answer: string },
): Promise<Recorded> {
  const { result, ms } = input
  return deps.prisma.$transaction(async (tx) => {
    // Locks the endpoint before the delivery, as all transactions do.
    const [endpoint] = await tx.$queryRaw<{ failing_for: number | null }[]>`
      SELECT extract(epoch FROM clock_timestamp() - failing_since)::float8 AS failing_for
      FROM webhook_endpoints WHERE id = ${claim.endpointId} FOR NO KEY UPDATE`
    const isHeld = await lockLease(tx, DELIVERIES, claim)
    // The attempt is logged even if the lease was lost, provided that the delivery still exists.
    const [delivery] = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM webhook_deliveries WHERE id = ${claim.id} FOR KEY SHARE`
    if (!endpoint || !delivery) return { kind: 'lost' }
    await tx.webhookAttempt.create({
      data: {
        deliveryId: claim.id,
        attempt: claim.attempt,
        status: result.kind === 'answered' ? result.status : null,
        error: result.kind === 'failed' ? result.code : null,
        ms,
        answer: toStorable(toStart(input.answer)),
      },
    })
    if (!isHeld) return { kind: 'lost' }
    const { retrySeconds } = deps
    const step = toNextStep(result, { tries: claim.tries, retrySeconds, random: Math.random() })
    await writeStep(tx, claim.id, step, result)
    await (step.kind === 'delivered' ? markWorking(tx, claim.endpointId) : markFailing(tx, claim.endpointId))
    const hasFailedLong = endpoint.failing_for !== null && endpoint.failing_for >= deps.disableAfterSeconds
    const reason = step.kind === 'gone' ? 'gone' : step.kind === 'exhausted' && hasFailedLong ? 'failing' : null
    const disabled =
      reason !== null && (await disableEndpoint(tx, { ...claim, id: claim.endpointId }, reason)) ? reason : null
    return { ...step, endpointDisabled: disabled }
  })
}

async function writeStep(tx: Db, id: string, step: NextStep, result: AttemptResult): Promise<void> {
  const status = step.kind === 'delivered' ? 'delivered' : step.kind === 'retry' ? 'pending' : 'failed'
  const waitMs = step.kind === 'retry' ? step.afterMs : 0
  const lastStatus = result.kind === 'answered' ? result.status : null
  const lastError = result.kind === 'failed' ? result.code : null
  await tx.$executeRaw`
    UPDATE webhook_deliveries
    SET status = ${status}::webhook_delivery_status, lease_until = NULL, lease_owner = NULL,
      last_status = ${lastStatus}::int, last_error = ${lastError}::text,
      next_attempt_at = clock_timestamp() + make_interval(secs => ${waitMs / 1000}),
      ended_at = CASE WHEN ${status} = 'pending' THEN NULL ELSE clock_timestamp() END
    WHERE id = ${id}`
}

const markWorking = (tx: Db, endpointId: string) =>
  tx.$executeRaw`UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${endpointId} AND failing_since IS NOT NULL`

const markFailing = (tx: Db, endpointId: string) =>
  tx.$executeRaw`
    UPDATE webhook_endpoints SET failing_since = clock_timestamp() WHERE id = ${endpointId} AND failing_since IS NULL`

/** Returns the first 1 KiB of the text, without a truncated character at the end. */
const toStart = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, 1024), { stream: true })
