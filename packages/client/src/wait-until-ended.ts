import { CorrigendaError } from './corrigenda-error.ts'
import { pause } from './pause.ts'

export interface WaitOptions {
  /** Milliseconds; without it there is no limit. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Look<T> {
  readonly state: T
  readonly hasEnded: boolean
  /** Seconds that the server asks to wait before the next look. */
  readonly retryAfterSeconds: number | null
}

/**
 * Looks again and again until there is an end.
 * @throws CorrigendaError `wait_timeout`; the reason of the caller's signal
 */
export async function waitUntilEnded<T>(
  look: (signal: AbortSignal | undefined) => Promise<Look<T>>,
  { pollMs, timeoutMs, signal }: WaitOptions & { pollMs: number },
): Promise<T> {
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, deadline].filter((one) => one !== undefined)
  const either = signals.length === 0 ? undefined : AbortSignal.any(signals)
  try {
    for (;;) {
      const { state, hasEnded, retryAfterSeconds } = await look(either)
      if (hasEnded) return state
      await pause(Math.max(pollMs, (retryAfterSeconds ?? 0) * 1000), either)
    }
  } catch (error) {
    if (!deadline?.aborted || signal?.aborted) throw error
    const message = `It has not ended within ${timeoutMs} ms. It goes on; wait again or read it later.`
    throw new CorrigendaError({ message, status: 0, code: 'wait_timeout' })
  }
}
