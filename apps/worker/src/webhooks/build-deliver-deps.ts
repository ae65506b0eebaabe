import { RETRY_SECONDS } from '@corrigenda/core/webhooks'
import type { DeliverDeps } from './deliver.ts'

/** Concurrency, retries and time limits of webhook deliveries. */
export type DeliveryLimits = Pick<
  DeliverDeps,
  'leaseSeconds' | 'endpointConcurrency' | 'projectConcurrency' | 'retrySeconds' | 'disableAfterSeconds' | 'timeoutMs'
>

const TIMEOUT_MS = 15_000
/**
 * Three times the longest request, so that another worker does not claim a delivery in progress.
 * The setting LEASE_SECONDS applies to runs.
 */
const DELIVERY_LEASE_SECONDS = (3 * TIMEOUT_MS) / 1000

const LIMITS: DeliveryLimits = {
  leaseSeconds: DELIVERY_LEASE_SECONDS,
  timeoutMs: TIMEOUT_MS,
  endpointConcurrency: 2,
  // Half of the deliveries that one worker sends at the same time.
  projectConcurrency: 4,
  retrySeconds: RETRY_SECONDS,
  disableAfterSeconds: 3 * 86_400,
}

/**
 * Builds the dependencies of deliveries. Opens no resources.
 * @param limits differ from the default only in tests
 */
export function buildDeliverDeps(
  opened: Pick<DeliverDeps, 'prisma' | 'webhookKey' | 'log' | 'allowedHookHosts'>,
  limits: Partial<DeliveryLimits> = {},
): DeliverDeps {
  const all = { ...LIMITS, ...limits }
  return { ...opened, ...all, maxTries: all.retrySeconds.length + 1 }
}
