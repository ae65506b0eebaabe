import { setTimeout as sleep } from 'node:timers/promises'
import { GitHostError } from './git-host-error.ts'

export interface CallContext {
  /** Completes "could not …" in the error. */
  readonly what: string
  /** The host or repository named in the error. */
  readonly target: string
  readonly signal: AbortSignal
}

/**
 * Sleeps.
 * @throws GitHostError `aborted` as soon as the signal aborts
 */
export async function pause(ms: number, context: CallContext): Promise<void> {
  await sleep(ms, undefined, { signal: context.signal }).catch(() => {
    throw toStopped(context)
  })
}

export function toStopped({ what, target }: CallContext): GitHostError {
  return new GitHostError('aborted', `Could not ${what} (${target}): the request was aborted.`)
}
