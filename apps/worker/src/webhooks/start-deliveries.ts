import { claimDeliveries, failHopeless, forgetEvents, isConnectionError } from '@corrigenda/core'
import { readClocks } from '../deploy/hold-deployment.ts'
import { type DeliverDeps, deliver } from './deliver.ts'

/** Between two looks for what nobody will deliver any more and what is too old to keep. */
const TIDY_MS = 30_000

export interface DeliveryOptions {
  /** Names this process in leases. */
  readonly owner: string
  /** Stops as {@link Deliveries.stop} does. */
  readonly shutdown: AbortSignal
  /** Requests of this process at the same time. */
  readonly concurrency?: number
  /** Longest time between two looks for due deliveries. */
  readonly pollMs?: number
  /** How long requests may go on after a stop before they are cut off and given back. */
  readonly graceMs?: number
}

export interface Deliveries {
  /** Claims nothing more, waits a moment for what is in hand and gives the rest back. May be repeated. */
  stop(): Promise<void>
}

/**
 * Delivers webhooks until stopped: claims what is due, a bounded number at a time, and looks again as soon as there is room. The rows are the truth:
 * whoever has a database has all it needs, and a worker that dies loses its lease and nothing else.
 */
export function startDeliveries(
  deps: DeliverDeps,
  { owner, shutdown, concurrency = 8, pollMs = 1_000, graceMs = 3_000 }: DeliveryOptions,
): Deliveries {
  const inHand = new Set<Promise<void>>()
  const cut = new AbortController()
  const nap = buildNap()
  let stopped = false
  let tidyAt = 0
  const take = async (): Promise<number> => {
    const limit = concurrency - inHand.size
    const claimedAt = readClocks()
    const claims = limit > 0 ? await claimDeliveries(deps, { owner, limit }) : []
    for (const claim of claims) {
      const work = deliver(deps, claim, { signal: cut.signal, claimedAt })
        .catch((error: unknown) => warn(deps, error, 'a webhook was sent and not recorded; it will be sent again'))
        .finally(() => {
          inHand.delete(work)
          nap.end()
        })
      inHand.add(work)
    }
    return claims.length
  }
  const tidy = async () => {
    if (performance.now() < tidyAt) return
    tidyAt = performance.now() + TIDY_MS
    await failHopeless(deps, { maxTries: deps.maxTries })
    await forgetEvents(deps)
  }
  const loop = async () => {
    while (!stopped) {
      let taken = 0
      try {
        taken = await take()
        await tidy()
      } catch (error) {
        warn(deps, error, 'could not look for webhooks; the next look follows')
      }
      if (!stopped && (taken === 0 || inHand.size >= concurrency)) await nap.start(pollMs)
    }
    const timer = setTimeout(() => cut.abort(), graceMs)
    await Promise.all(inHand)
    clearTimeout(timer)
  }
  const ended = loop()
  const stop = () => {
    stopped = true
    nap.end()
    return ended
  }
  shutdown.addEventListener('abort', () => void stop(), { once: true })
  return { stop }
}

/** A wait that can be ended from outside; an end that comes before its start counts, too. */
function buildNap() {
  let wake: (() => void) | null = null
  let isDue = false
  return {
    end() {
      isDue = true
      wake?.()
    },
    async start(ms: number) {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      wake = null
      isDue = false
    },
  }
}

function warn(deps: DeliverDeps, error: unknown, message: string): void {
  const reason = error instanceof Error ? error.message.split('\n').at(-1) : 'unknown'
  deps.log.warn({ database: isConnectionError(error) ? 'away' : 'up', reason }, message)
}
