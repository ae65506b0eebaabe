import { pause } from './pause.ts'

export type Fetch = (request: Request) => Promise<Response>

export interface RetryLimits {
  /** Requests in all, the first one included. */
  readonly maxAttempts: number
  /** Longest wait between two, in milliseconds. An answer that asks for a longer one is not waited for. */
  readonly maxDelayMs: number
}

/**
 * A fetch that tries again: after 429 always, since nothing was done; after 503 and broken connections only when the request may be `repeatable`,
 * since it may have been carried out. Waits as long as `Retry-After` says, else 0.5 s, 1 s, 2 s …, with up to a quarter added at random.
 */
export function buildRetryFetch(deps: { fetch: Fetch; limits: RetryLimits; repeatable: boolean }): Fetch {
  const { fetch, limits, repeatable } = deps
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= limits.maxAttempts
      let response: Response | null = null
      try {
        // The body of a request can be sent once.
        response = await fetch(request.clone())
      } catch (error) {
        if (isLast || !repeatable || request.signal.aborted) throw error
      }
      if (response && (isLast || !(response.status === 429 || (response.status === 503 && repeatable)))) return response
      const asked = response && readRetryAfter(response)
      const delay = asked === null || asked === undefined ? 500 * 2 ** (attempt - 1) : asked * 1000
      if (response && delay > limits.maxDelayMs) return response
      await response?.body?.cancel()
      await pause(Math.min(delay, limits.maxDelayMs) * (1 + Math.random() / 4), request.signal)
    }
  }
}

/** Seconds of `Retry-After`, given as a number or as a date; null when there is none. */
export function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
