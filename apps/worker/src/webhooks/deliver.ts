import { VERSION } from '@corrigenda/core/base'
import { type Clocks, elapsedSince } from '@corrigenda/core/leases'
import type { Log } from '@corrigenda/core/runtime'
import {
  type AttemptResult,
  type ClaimDeliveriesDeps,
  type DeliveryClaim,
  type RecordAttemptDeps,
  recordAttempt,
  releaseDelivery,
} from '@corrigenda/core/webhooks'
import type { Proxies } from '@corrigenda/egress'
import { toRetryAfterMs } from '@corrigenda/git/http'
import { Webhook } from 'standardwebhooks'
import { OutboundError } from '../outbound/resolve-target.ts'
import { sendRequest } from '../outbound/send-request.ts'

export interface DeliverDeps extends ClaimDeliveriesDeps, RecordAttemptDeps {
  readonly log: Log
  readonly allowedHookHosts: readonly string[]
  readonly proxies: Proxies | null
  /** Timeout for one request, including name lookup and response. */
  readonly timeoutMs: number
}

/**
 * Sends a claimed delivery once and records the result. When the signal aborts, the delivery is
 * released and the attempt does not count. The receiver may then receive the event twice. A process
 * that was suspended after its claim sends nothing, because another worker may have claimed the
 * delivery.
 * @param input.claimedAt clock readings taken before the claim was sent
 */
export async function deliver(
  deps: DeliverDeps,
  claim: DeliveryClaim,
  { signal, claimedAt }: { signal: AbortSignal; claimedAt: Clocks },
): Promise<void> {
  // The last third of a lease is reserved for the request itself.
  if (elapsedSince(claimedAt) > (deps.leaseSeconds * 1000 * 2) / 3) {
    deps.log.warn({ deliveryId: claim.id, attempt: claim.attempt }, 'webhook delivery skipped: lease about to expire')
    return
  }
  const start = performance.now()
  const sent = await send(deps, claim, signal)
  if (sent === null) return releaseDelivery(deps, claim)
  const ms = Math.round(performance.now() - start)
  const recorded = await recordAttempt(deps, claim, { ...sent, ms })
  const { result } = sent
  const { id: deliveryId, endpointId, eventId, eventType, attempt } = claim
  const what = result.kind === 'answered' ? { status: result.status } : { error: result.code }
  deps.log.info(
    { deliveryId, endpointId, eventId, eventType, attempt, ms, ...what, next: recorded.kind },
    'webhook sent',
  )
  if (recorded.kind !== 'lost' && recorded.endpointDisabled !== null) {
    const { projectId } = claim
    deps.log.warn({ endpointId, projectId, reason: recorded.endpointDisabled }, 'webhook disabled')
  }
}

/** Sends the request. Returns null if aborted before a response arrives. */
async function send(
  deps: DeliverDeps,
  claim: DeliveryClaim,
  signal: AbortSignal,
): Promise<{ result: AttemptResult; answer: string } | null> {
  const { url, payload, secrets } = claim
  if (secrets === null) return { result: { kind: 'failed', code: 'secret_unreadable' }, answer: '' }
  try {
    const { status, headers, body } = await sendRequest({
      url,
      method: 'POST',
      headers: buildDeliveryHeaders({ ...claim, secrets, at: new Date() }),
      body: payload,
      timeoutMs: deps.timeoutMs,
      allowedHosts: deps.allowedHookHosts,
      projectId: claim.projectId,
      proxies: deps.proxies,
      signal,
    })
    const retryAfterMs = toRetryAfterMs(headers['retry-after'])
    return { result: { kind: 'answered', status, retryAfterMs }, answer: body }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'aborted' ? null : { result: { kind: 'failed', code: error.code }, answer: '' }
  }
}

/**
 * Returns a delivery's headers as defined by Standard Webhooks. `webhook-id` is the event id. It is
 * the same in every attempt, so that receivers can detect duplicates. `webhook-signature` contains
 * one signature per secret, separated by spaces, so that a secret can be rotated without
 * interruption.
 * @param input.secrets newest first
 * @param input.at time of this attempt
 */
function buildDeliveryHeaders(input: {
  eventId: string
  payload: string
  secrets: readonly string[]
  at: Date
}): Record<string, string> {
  const { eventId, payload, secrets, at } = input
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Corrigenda/${VERSION}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, payload)).join(' '),
  }
}
