import { pause } from './pause.ts'

export type Fetch = (request: Request) => Promise<Response>

export interface RetryLimits {
  /** Maximum number of requests, including the first one. */
  readonly maxAttempts: number
  /**
   * Maximum delay between two requests, in milliseconds. A response that requests a longer delay is
   * returned without a retry.
   */
  readonly maxDelayMs: number
  /**
   * Milliseconds after which a connection counts as broken if no complete response has arrived or a
   * stream has sent no data.
   */
  readonly silenceMs: number
  /**
   * Milliseconds without a valid response after which `wait` throws. Connection errors and
   * responses from an unavailable service do not count as valid.
   */
  readonly maxOutageMs: number
}

/** Statuses that gateways return while the service behind them is unavailable. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Builds a fetch function with retries. It always retries after 429, because the request was not
 * executed. If the service is unavailable, or the connection breaks or is silent, the request may
 * have been executed, so only `repeatable` requests are retried. The same applies while another
 * request with the same Idempotency-Key is in progress. The delay is the value of `Retry-After`, or
 * else 0.5 s, 1 s, 2 s …, plus a random 0 to 25%.
 */
export function buildRetryFetch(deps: {
  fetch: Fetch
  limits: RetryLimits
  repeatable: boolean
  /** Returns responses with unread bodies, for streaming. */
  isStream?: boolean
}): Fetch {
  const { limits, repeatable } = deps
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= limits.maxAttempts
      let response: Response | null = null
      try {
        response = await send(deps, request)
      } catch (error) {
        if (isLast || !repeatable || request.signal.aborted) throw error
      }
      if (response && (isLast || !isRetryable(response, repeatable))) return response
      const retryAfter = response && readRetryAfter(response)
      const delay = typeof retryAfter === 'number' ? retryAfter * 1000 : 500 * 2 ** (attempt - 1)
      if (response && delay > limits.maxDelayMs) return response
      await response?.body?.cancel()
      await pause(Math.min(delay, limits.maxDelayMs) * (1 + Math.random() / 4), request.signal)
    }
  }
}

function isRetryable({ status, headers }: Response, repeatable: boolean): boolean {
  if (status === 429) return true
  return repeatable && (UNAVAILABLE.has(status) || headers.get('x-error-code') === 'idempotency_in_flight')
}

/**
 * Sends a request and reads the whole response.
 * @throws TypeError when the connection breaks or is silent
 * @throws the abort reason of the request's signal
 */
async function send(
  { fetch, limits, isStream = false }: { fetch: Fetch; limits: RetryLimits; isStream?: boolean },
  request: Request,
): Promise<Response> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), limits.silenceMs)
  try {
    // A request body can be sent only once, so every attempt sends a clone.
    const sent = new Request(request.clone(), { signal: AbortSignal.any([request.signal, silence.signal]) })
    const response = await fetch(sent)
    if (isStream || response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } catch (error) {
    if (silence.signal.aborted && !request.signal.aborted) throw new TypeError('no response in time', { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Parses `Retry-After`, which is a number of seconds or a date. Returns the delay in seconds, or
 * null if the header is missing or invalid.
 */
export function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
