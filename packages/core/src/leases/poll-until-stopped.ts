import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionError } from '../db/is-connection-error.ts'
import type { Log } from '../runtime/open-log.ts'

export interface Polling {
  /** Starts nothing more and waits for the work in hand. May be repeated. */
  stop(): Promise<void>
}

export interface PollOptions {
  /** What is polled for, in the log. */
  readonly name: string
  /** Longest time between two polls, in ms. */
  readonly everyMs: number
  /** Pieces of work in hand at the same time; default 1. */
  readonly slots?: number
  /** Stops the loop as {@link Polling.stop} does. */
  readonly shutdown?: AbortSignal
  /**
   * Looks for work once.
   * @param room how many pieces may be started
   * @returns those that were started, or nothing
   */
  readonly poll: (room: number) => Promise<readonly Promise<unknown>[]> | Promise<void>
}

/** Longest wait after failed polls, in ms, unless `everyMs` is longer. */
const MAX_BACKOFF_MS = 5_000

/**
 * Polls at once and then every `everyMs`; immediately again while polls find work and slots are
 * free, and whenever a piece of work ends. After an error the wait doubles, up to 5 s.
 */
export function pollUntilStopped({ log }: { log: Log }, options: PollOptions): Polling {
  const { name, everyMs, slots = 1, shutdown, poll } = options
  const inHand = new Set<Promise<void>>()
  const pause = buildPause()
  let stopped = shutdown?.aborted ?? false
  let failures = 0

  const report = (error: unknown, message: string) => {
    if (isConnectionError(error)) log.warn({ poll: name, database: 'away' }, message)
    else log.error({ poll: name, err: error }, message)
  }
  const track = (work: Promise<unknown>) => {
    const tracked = work
      .then(
        () => {},
        (error: unknown) => report(error, 'work failed'),
      )
      .finally(() => {
        inHand.delete(tracked)
        pause.end()
      })
    inHand.add(tracked)
  }
  /** @returns whether to poll again at once */
  const pollOnce = async (): Promise<boolean> => {
    const room = slots - inHand.size
    if (room <= 0) return false
    try {
      const started = (await poll(room)) ?? []
      failures = 0
      started.forEach(track)
      return started.length > 0 && inHand.size < slots
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
    await Promise.all(inHand)
  }
  const ended = loop()
  const stop = () => {
    stopped = true
    pause.end()
    return ended
  }
  shutdown?.addEventListener('abort', stop, { once: true })
  return {
    stop() {
      shutdown?.removeEventListener('abort', stop)
      return stop()
    },
  }
}

/** A wait that can be ended early; an end that comes before the start counts. */
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
