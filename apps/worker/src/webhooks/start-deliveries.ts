import { type Polling, pollUntilStopped, readClocks } from '@corrigenda/core/leases'
import { claimDeliveries, failHopeless, forgetEvents } from '@corrigenda/core/webhooks'
import { type DeliverDeps, deliver } from './deliver.ts'

/** Between two removals of what cannot be delivered or is too old to keep. */
const CLEAN_UP_MS = 30_000

export interface DeliveryOptions {
  /** Names this process in leases. */
  readonly owner: string
  /** Stops as `stop` does. */
  readonly shutdown: AbortSignal
  /** Requests of this process at the same time. */
  readonly concurrency?: number
  /** Longest time between two polls. */
  readonly pollMs?: number
  /** How long requests may go on after a stop before they are aborted and released. */
  readonly graceMs?: number
}

/**
 * Delivers webhooks until stopped: claims what is due, a bounded number at a time. A stop claims
 * nothing more, waits for the grace period and releases the rest.
 */
export function startDeliveries(
  deps: DeliverDeps,
  { owner, shutdown, concurrency = 8, pollMs = 1_000, graceMs = 3_000 }: DeliveryOptions,
): Polling {
  const cut = new AbortController()
  const loops = [
    pollUntilStopped(deps, {
      ...{ name: 'webhook deliveries', everyMs: pollMs, slots: concurrency },
      async poll(limit) {
        const claimedAt = readClocks()
        const claims = await claimDeliveries(deps, { owner, limit })
        return claims.map((claim) => deliver(deps, claim, { signal: cut.signal, claimedAt }))
      },
    }),
    pollUntilStopped(deps, {
      ...{ name: 'old webhook events', everyMs: CLEAN_UP_MS },
      async poll() {
        await failHopeless(deps, { maxTries: deps.maxTries })
        await forgetEvents(deps)
      },
    }),
  ]
  const stop = async () => {
    const timer = setTimeout(() => cut.abort(), graceMs)
    await Promise.all(loops.map((loop) => loop.stop()))
    clearTimeout(timer)
  }
  shutdown.addEventListener('abort', () => void stop(), { once: true })
  return { stop }
}
