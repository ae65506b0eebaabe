import { setTimeout as sleep } from 'node:timers/promises'
import { GitHostError } from '../git-host/git-host-error.ts'

/**
 * Returns true if a retry may help because the host is unavailable, slow or rate limiting the
 * client.
 */
export function isPassing(error: unknown): boolean {
  return error instanceof GitHostError && (error.isOutcomeUnknown || error.code === 'rate_limited')
}

/** Sleeps between two polls, with linear backoff up to `maxPollMs`. */
export async function waitToPoll(
  limits: { pollMs: number; maxPollMs: number },
  asked: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(Math.min(limits.maxPollMs, limits.pollMs * (1 + asked * 0.4)), undefined, { signal })
}
