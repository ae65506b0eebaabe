import { RETRY_SECONDS } from '@corrigenda/core/webhooks'
import type { DeliverDeps } from './deliver.ts'

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
