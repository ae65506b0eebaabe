import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionError } from '../db/is-connection-error.ts'
import type { Log } from '../runtime/open-log.ts'

export interface Polling {
  /** Polls now instead of at the next interval. */
  wake(): void
  /** Stops starting new work and waits for running work to end. Idempotent. */
  stop(): Promise<void>
}

interface PollOptions {
  /** Name of the poll in log entries. */
  readonly name: string
  /** Maximum time between two polls, in ms. */
  readonly everyMs: number
  /** Maximum number of concurrent work items. Default: 1. */
  readonly slots?: number
  /** Stops the loop as {@link Polling.stop} does. */
  readonly shutdown?: AbortSignal
  /**
   * Polls for work once.
   * @param capacity number of work items that may be started
   * @returns the started work items, or nothing
   */
  readonly poll: (capacity: number) => Promise<readonly Promise<unknown>[]> | Promise<void>
}

/** Maximum backoff after failed polls, in ms, unless `everyMs` is longer. */
const MAX_BACKOFF_MS = 5_000

/**
 * Polls immediately and then every `everyMs`. Polls again without a delay while polls find work and
 * slots are free, and whenever a work item ends. After each consecutive error, the delay doubles,
 * up to 5 s.
 */
export function pollUntilStopped({ log }: { log: Log }, options: PollOptions): Polling {
  const { name, everyMs, slots = 1, shutdown, poll } = options
  const running = new Set<Promise<void>>()
  const pause = buildPause()
  let stopped = shutdown?.aborted ?? false
  let failures = 0

  const report = (error: unknown, message: string) => {
    if (isConnectionError(error)) log.warn({ poll: name, database: 'unavailable' }, message)
    else log.error({ poll: name, err: error }, message)
  }
  const track = (work: Promise<unknown>) => {
    const tracked = work
      .then(
        () => {},
        (error: unknown) => report(error, 'work failed'),
      )
      .finally(() => {
        running.delete(tracked)
        pause.end()
      })
    running.add(tracked)
  }
  /** @returns true to poll again immediately */
  const pollOnce = async (): Promise<boolean> => {
    const capacity = slots - running.size
    if (capacity <= 0) return false
    try {
      const started = (await poll(capacity)) ?? []
      if (failures > 0) log.info({ poll: name, failures }, 'poll restored')
      failures = 0
      started.forEach(track)
      return started.length > 0 && running.size < slots
    } catch (error) {
      failures += 1
      report(error, 'poll failed; retrying')
      return false
    }
  }
  const loop = async () => {
    while (!stopped) {
      const isMore = await pollOnce()
      const backoffMs = Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS)
      if (!stopped && !isMore) await pause.start(Math.max(everyMs, backoffMs))
    }
    await Promise.all(running)
  }
  const ended = loop()
  const stop = () => {
    stopped = true
    pause.end()
    return ended
  }
  shutdown?.addEventListener('abort', stop, { once: true })
  return {
    wake: pause.end,
    stop() {
      shutdown?.removeEventListener('abort', stop)
      return stop()
    },
  }
}

/** Creates a delay that `end` cuts short, even if `end` is called before `start`. */
function buildPause() {
  let early = new AbortController()
  return {
    end: () => early.abort(),
    async start(ms: number) {
      await sleep(ms, undefined, { signal: early.signal }).catch(() => {})
      early = new AbortController()
    },
  }
}
