import { GitHttpError } from './git-http-error.ts'
import { pause } from './pause.ts'

export interface RepeatOptions {
  readonly signal?: AbortSignal | undefined
  /** Maximum number of attempts for repeatable requests. */
  readonly attempts?: number | undefined
  /**
   * Longest `Retry-After` to wait for, in milliseconds. A longer delay is reported to the caller as
   * an error.
   */
  readonly maxRetryWaitMs?: number | undefined
  /** Delay before the first retry, in milliseconds. Doubles with each attempt. */
  readonly retryPauseMs?: number | undefined
}

/** Retries after dropped connections, 429 and 5xx, within the configured limits. */
export async function repeat<T>(options: RepeatOptions, attemptRequest: () => Promise<T>): Promise<T> {
  const attempts = options.attempts ?? 3
  const maxWait = options.maxRetryWaitMs ?? 10_000
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptRequest()
    } catch (error) {
      if (!(error instanceof GitHttpError) || attempt >= attempts) throw error
      const isTransient =
        error.code === 'network' || error.code === 'rate_limited' || (error.code === 'server_error' && error.status)
      if (!isTransient) throw error
      const wait = error.retryAfterMs ?? (options.retryPauseMs ?? 250) * 2 ** (attempt - 1)
      if (wait > maxWait) throw error
      await pause(wait, options.signal)
    }
  }
}
