import { CorrigendaError } from './corrigenda-error.ts'
import { pause } from './pause.ts'

export interface WaitOptions {
  /** Timeout in milliseconds; no limit by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface PollResult<T> {
  readonly state: T
  readonly hasEnded: boolean
  /** Delay in seconds that the server requests before the next poll. */
  readonly retryAfterSeconds: number | null
}

/** Maximum delay that timers support: 24 days. */
const MAX_TIMER_MS = 2_147_483_647

/**
 * Polls until the job or deployment has ended. A temporary service outage does not end the wait.
 * @throws CorrigendaError `wait_timeout`
 * @throws the abort reason of the caller's signal
 */
export async function waitUntilEnded<T>(
  poll: (signal: AbortSignal | undefined) => Promise<PollResult<T>>,
  { pollMs, maxOutageMs, timeoutMs, signal }: WaitOptions & { pollMs: number; maxOutageMs: number },
): Promise<T> {
  const isLimited = timeoutMs !== undefined && timeoutMs <= MAX_TIMER_MS
  const deadline = isLimited ? AbortSignal.timeout(timeoutMs) : undefined
  const signals = [signal, deadline].filter((one) => one !== undefined)
  const either = signals.length === 0 ? undefined : AbortSignal.any(signals)
  let unavailableSince: number | null = null
  try {
    for (;;) {
      let retryAfter: number | null
      try {
        const { state, hasEnded, retryAfterSeconds } = await poll(either)
        if (hasEnded) return state
        unavailableSince = null
        retryAfter = retryAfterSeconds
      } catch (error) {
        if (!(error instanceof CorrigendaError) || !isTemporary(error)) throw error
        unavailableSince ??= Date.now()
        if (Date.now() - unavailableSince >= maxOutageMs) throw error
        retryAfter = error.retryAfterSeconds
      }
      await pause(Math.max(pollMs, (retryAfter ?? 0) * 1000), either)
    }
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error
    const message = `The job or deployment did not end within ${timeoutMs} ms. It continues in the background. Wait again or read its state later.`
    throw new CorrigendaError({ message, status: 0, code: 'wait_timeout' })
  }
}

const isTemporary = ({ status, code }: CorrigendaError): boolean =>
  code === 'connection_failed' || status === 429 || (status >= 502 && status <= 504)
