/** What one request to an endpoint came to. `retryAfterMs`: how long the receiver asked us to wait, if it did. */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'failed'; readonly code: string }

export type NextStep =
  | { readonly kind: 'delivered' }
  /** The receiver says that it is gone for good. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** All attempts are used. */
  | { readonly kind: 'exhausted' }

/**
 * Waits before the second, third, … attempt, in seconds: eight attempts over about 28 hours, with the steps that Standard Webhooks recommends
 * ("Retries": immediately, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, …).
 */
export const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/** Longest wait that a receiver may ask for. */
const MAX_ASKED_MS = 3_600_000

/**
 * What becomes of a delivery after an attempt: 2xx is delivered, 410 ends the endpoint, anything else is tried again. `Retry-After` of a 429 or 503
 * makes a wait longer, up to an hour, never shorter. Waits vary by a tenth so that what failed together does not return together.
 * @param tries attempts so far, this one included
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
