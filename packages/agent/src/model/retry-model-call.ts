import { ModelError } from './model-error.ts'

/**
 * Maximum total time spent on waits that the API requests. For longer waits, the caller releases
 * its slot.
 */
const MAX_WAIT_MS = 60_000
/** Maximum number of replies that cannot be used. Each of them is paid for. */
const MAX_BAD_REPLIES = 3

interface RetryOptions {
  /** Total number of attempts, including the first. */
  readonly tries: number
  /**
   * Initial backoff in milliseconds. Doubles on each retry up to `maxWaitMs`. Random jitter
   * shortens each backoff by up to half.
   */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  readonly onRetry?: (error: ModelError, waitMs: number) => void
}

/**
 * Retries a call until it succeeds, fails with an error that is not retryable, or runs out of
 * attempts. Repeats the call only twice after replies that cannot be used. Honors a wait requested by the API. If the requested waits add up to more than one
 * minute, throws the error with `retryAfterMs` instead of sleeping. Throws the signal's reason when
 * aborted.
 */
export async function retryModelCall<T>(
  options: RetryOptions,
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let askedMs = 0
  let badReplies = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt >= options.tries) throw error
      if (error.code === 'model_bad_reply') badReplies += 1
      if (badReplies >= MAX_BAD_REPLIES) throw error
      askedMs += error.retryAfterMs ?? 0
      if (askedMs > MAX_WAIT_MS) throw error
      const backoff = Math.min(options.maxWaitMs, options.firstWaitMs * 2 ** (attempt - 1))
      const waitMs = Math.max(error.retryAfterMs ?? 0, backoff * (1 - Math.random() / 2))
      options.onRetry?.(error, waitMs)
      await wait(waitMs, signal)
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
