import { type Polling, pollUntilStopped, readClocks } from '@corrigenda/core/leases'
import { claimDeliveries, failHopeless, forgetEvents, RETRY_SECONDS } from '@corrigenda/core/webhooks'
import { type DeliverDeps, deliver } from './deliver.ts'

/** Interval between clean-ups of deliveries that cannot be sent or are too old to keep. */
const CLEAN_UP_MS = 30_000

export interface DeliveryOptions {
  /** Name of this process in leases. */
  readonly owner: string
  /** Aborting this signal has the same effect as `stop`. */
  readonly shutdown: AbortSignal
  /** Maximum number of concurrent requests from this process. */
  readonly concurrency?: number
  /** Maximum time between polls. */
  readonly pollMs?: number
  /** Grace period for requests in progress after a stop. Afterwards, they are aborted. */
  readonly graceMs?: number
}

/**
 * Delivers webhooks until stopped, claiming a limited number of due deliveries at a time. Stopping
 * prevents further claims, waits for up to the grace period and releases the remaining deliveries.
 */
export function startDeliveries(
  deps: DeliverDeps,
  { owner, shutdown, concurrency = 8, pollMs = 1_000, graceMs = 3_000 }: DeliveryOptions,
): Polling {
  const cut = new AbortController()
  const deliveries = pollUntilStopped(deps, {
    name: 'webhook deliveries',
    everyMs: pollMs,
    slots: concurrency,
    async poll(limit) {
      const claimedAt = readClocks()
      const claims = await claimDeliveries(deps, { owner, limit })
      return claims.map((claim) => deliver(deps, claim, { signal: cut.signal, claimedAt }))
    },
  })
  const cleanUp = pollUntilStopped(deps, {
    name: 'old webhook events',
    everyMs: CLEAN_UP_MS,
    async poll() {
      await failHopeless(deps, { maxTries: deps.maxTries })
      await forgetEvents(deps)
    },
  })
  const stop = async () => {
    const timer = setTimeout(() => cut.abort(), graceMs)
    await Promise.all([deliveries.stop(), cleanUp.stop()])
    clearTimeout(timer)
  }
  shutdown.addEventListener('abort', () => void stop(), { once: true })
  return { wake: deliveries.wake, stop }
}

/** Concurrency, retries and time limits for webhook deliveries. */
export type DeliveryLimits = Pick<
  DeliverDeps,
  'leaseSeconds' | 'endpointConcurrency' | 'projectConcurrency' | 'retrySeconds' | 'disableAfterSeconds' | 'timeoutMs'
>

const TIMEOUT_MS = 15_000
/**
 * Three times the request timeout, so that another worker does not claim a delivery in progress.
 * LEASE_SECONDS applies only to runs and deployments.
 */
const DELIVERY_LEASE_SECONDS = (3 * TIMEOUT_MS) / 1000

const LIMITS: DeliveryLimits = {
  leaseSeconds: DELIVERY_LEASE_SECONDS,
  timeoutMs: TIMEOUT_MS,
  endpointConcurrency: 2,
  // Half of a worker's concurrent deliveries.
  projectConcurrency: 4,
  retrySeconds: RETRY_SECONDS,
  disableAfterSeconds: 3 * 86_400,
}

/**
 * Builds the dependencies for deliveries. Opens no resources.
 * @param limits overridden only in tests
 */
export function buildDeliverDeps(
  opened: Pick<DeliverDeps, 'prisma' | 'webhookKey' | 'log' | 'allowedHookHosts' | 'proxies'>,
  limits: Partial<DeliveryLimits> = {},
): DeliverDeps {
  const all = { ...LIMITS, ...limits }
  return { ...opened, ...all, maxTries: all.retrySeconds.length + 1 }
}
