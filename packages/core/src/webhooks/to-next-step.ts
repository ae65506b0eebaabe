/**
 * Result of one request to an endpoint. `retryAfterMs` is the delay that the receiver requested.
 */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly code: string }

export type NextStep =
  | { readonly kind: 'delivered' }
  /** The receiver reported that the endpoint is permanently gone (410). */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** No attempts are left. */
  | { readonly kind: 'exhausted' }

/**
 * Delays before the second and later attempts, in seconds. Eight attempts take about 28 hours. The
 * delays follow the Standard Webhooks recommendation ("Retries": immediately, 5 s, 5 min, 30 min,
 * 2 h, 5 h, 10 h, …).
 */
export const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/** Maximum delay that a receiver may request, in ms. */
const MAX_ASKED_MS = 3_600_000

/**
 * Returns a delivery's next step after an attempt. A 2xx response ends the delivery, 410 disables
 * the endpoint, and any other result is retried. The `Retry-After` of a 429 or 503 can extend a
 * delay, up to an hour, but never shortens it. Delays vary by up to 10%, so that simultaneous
 * failures are not retried at the same time.
 * @param tries number of attempts so far, including this one
 * @param random between 0 and 1
 */
export function toNextStep(
  result: AttemptResult,
  input: { tries: number; retrySeconds: readonly number[]; random: number },
): NextStep {
  if (result.kind === 'answered') {
    if (result.status >= 200 && result.status < 300) return { kind: 'delivered' }
    if (result.status === 410) return { kind: 'gone' }
  }
  const seconds = input.retrySeconds[input.tries - 1]
  if (seconds === undefined) return { kind: 'exhausted' }
  const planned = seconds * 1000 * (0.9 + 0.2 * input.random)
  const asks = result.kind === 'answered' && (result.status === 429 || result.status === 503)
  const asked = asks ? Math.min(MAX_ASKED_MS, result.retryAfterMs ?? 0) : 0
  return { kind: 'retry', afterMs: Math.round(Math.max(planned, asked)) }
}
