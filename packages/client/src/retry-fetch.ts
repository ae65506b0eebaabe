import { pause } from './pause.ts'

export type Fetch = (request: Request) => Promise<Response>

export interface RetryLimits {
  /** Requests in all, the first one included. */
  readonly maxAttempts: number
  /** Longest wait between two, in milliseconds. An answer that asks for a longer one is not waited for. */
  readonly maxDelayMs: number
  /** Milliseconds without a complete answer, or in a stream without a sign of life, after which a connection counts as broken. */
  readonly silenceMs: number
  /** Milliseconds that `wait` bears in a row in which nothing answers, or only that the service is away. */
  readonly maxOutageMs: number
}

/** What gateways say while the service behind them is replaced. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * A fetch that tries again: after 429 always, since nothing was done; when the service is away, or the connection breaks or falls silent, only when
 * the request may be `repeatable`, since it may have been carried out. So is one whose Idempotency-Key is still being worked on. Waits as long as
 * `Retry-After` says, else 0.5 s, 1 s, 2 s …, with up to a quarter added at random.
 */
export function buildRetryFetch(deps: {
  fetch: Fetch
  limits: RetryLimits
  repeatable: boolean
  /** Leave the body to be read as it comes. */
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
      if (response && (isLast || !mayPass(response, repeatable))) return response
      const asked = response && readRetryAfter(response)
      const delay = asked === null || asked === undefined ? 500 * 2 ** (attempt - 1) : asked * 1000
      if (response && delay > limits.maxDelayMs) return response
      await response?.body?.cancel()
      await pause(Math.min(delay, limits.maxDelayMs) * (1 + Math.random() / 4), request.signal)
    }
  }
}

function mayPass({ status, headers }: Response, repeatable: boolean): boolean {
  if (status === 429) return true
  return repeatable && (AWAY.has(status) || headers.get('x-error-code') === 'idempotency_in_flight')
}

/** One request with its whole answer. @throws TypeError when the connection breaks or falls silent; the reason of the request's signal */
async function send(
  { fetch, limits, isStream = false }: { fetch: Fetch; limits: RetryLimits; isStream?: boolean },
  request: Request,
): Promise<Response> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), limits.silenceMs)
  try {
    // The body of a request can be sent once.
    const sent = new Request(request.clone(), { signal: AbortSignal.any([request.signal, silence.signal]) })
    const response = await fetch(sent)
    if (isStream || response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } catch (error) {
    if (silence.signal.aborted && !request.signal.aborted) throw new TypeError('no answer in time', { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Seconds of `Retry-After`, given as a number or as a date; null when there is none. */
export function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
