import { setTimeout as sleep } from 'node:timers/promises'
import { GitHostError } from '../git-host/git-host-error.ts'

/** Whether asking again may help: the host is away, slow or asks for patience. */
export function isPassing(error: unknown): boolean {
  return error instanceof GitHostError && (error.isOutcomeUnknown || error.code === 'rate_limited')
}

/** Sleeps between two questions: a little longer each time, up to a most. */
export async function waitToPoll(
  limits: { pollMs: number; maxPollMs: number },
  asked: number,
  signal: AbortSignal,
): Promise<void> {
  await sleep(Math.min(limits.maxPollMs, limits.pollMs * (1 + asked * 0.4)), undefined, { signal })
}
