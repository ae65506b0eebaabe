import { RETRY_SECONDS } from '@corrigenda/core/webhooks'
import type { DeliverDeps } from './deliver.ts'

/** How often and how patiently webhooks are delivered. */
export type DeliveryLimits = Pick<
  DeliverDeps,
  'leaseSeconds' | 'endpointConcurrency' | 'projectConcurrency' | 'retrySeconds' | 'disableAfterSeconds' | 'timeoutMs'
>

const TIMEOUT_MS = 15_000
/**
 * Three times the longest request, so that a delivery under way is not given to another worker. The
 * setting LEASE_SECONDS is that of runs.
 */
const DELIVERY_LEASE_SECONDS = (3 * TIMEOUT_MS) / 1000

const LIMITS: DeliveryLimits = {
  leaseSeconds: DELIVERY_LEASE_SECONDS,
  timeoutMs: TIMEOUT_MS,
  endpointConcurrency: 2,
  // Half of what one worker has in hand.
  projectConcurrency: 4,
  retrySeconds: RETRY_SECONDS,
  disableAfterSeconds: 3 * 86_400,
}

/** All that delivering needs. Opens nothing. @param limits other than the default only in tests */
export function buildDeliverDeps(
  opened: Pick<DeliverDeps, 'prisma' | 'webhookKey' | 'log' | 'allowedHookHosts'>,
  limits: Partial<DeliveryLimits> = {},
): DeliverDeps {
  const all = { ...LIMITS, ...limits }
  return { ...opened, ...all, maxTries: all.retrySeconds.length + 1 }
}
