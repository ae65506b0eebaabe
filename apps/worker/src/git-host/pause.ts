import { setTimeout as sleep } from 'node:timers/promises'
import { GitHostError } from './git-host-error.ts'

interface CallContext {
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

/**
 * Settles with the result of `run`.
 * @throws GitHostError `aborted` when the signal aborts first
 */
export async function untilAborted<T>(run: () => Promise<T>, context: CallContext): Promise<T> {
  const { signal } = context
  if (signal.aborted) throw toStopped(context)
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(toStopped(context))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([stopped, run()])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function toStopped({ what, target }: CallContext): GitHostError {
  return new GitHostError('aborted', `Could not ${what} (${target}): the request was aborted.`)
}
