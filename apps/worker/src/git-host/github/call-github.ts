import { type CallContext, pause, toStopped } from '../pause.ts'
import { isRequestFailure, toGitHostError } from './to-git-host-error.ts'

/**
 * Maximum total time that a call waits for rate limits. It is short because other work could use
 * the slot. The caller schedules longer waits.
 */
const MAX_WAIT_MS = 30_000
const MAX_WAITS = 5
const MIN_WAIT_MS = 250

/**
 * Runs one request. Waits for rate limits as the host requests, up to 30 s in total, then throws
 * `rate_limited` with `retryAfterMs`. Rejects immediately when the signal aborts, even while the
 * client library is waiting.
 * @throws GitHostError for a failed request; other errors (bugs in `run`) unchanged
 */
export async function callGitHub<T>(run: () => Promise<{ data: T }>, context: CallContext): Promise<T> {
  let waited = 0
  for (let waits = 0; ; waits += 1) {
    try {
      const { data } = await untilAborted(run, context)
      return data
    } catch (error) {
      if (!isRequestFailure(error)) throw error
      const failure = toGitHostError(error, context)
      const wait = Math.max(failure.retryAfterMs ?? 0, MIN_WAIT_MS)
      if (failure.code !== 'rate_limited' || waits >= MAX_WAITS || waited + wait > MAX_WAIT_MS) throw failure
      waited += wait
      await pause(wait, context)
    }
  }
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
