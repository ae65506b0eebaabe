import { Worker } from 'node:worker_threads'

export interface Watchdog {
  stop(): Promise<void>
}

interface WatchdogInput {
  /** URL of the database. */
  readonly url: string
  /** This worker's name in leases. */
  readonly owner: string
  readonly leaseSeconds: number
  /** Time without a response after which the process is ended, in ms. Default: 60,000. */
  readonly killMs?: number
}

/** What the thread receives. */
export interface WatchdogData {
  readonly url: string
  readonly owner: string
  /** Number of times that the event loop has run its timer. */
  readonly beats: Int32Array
  readonly lookMs: number
  readonly markMs: number
  readonly killMs: number
}

const BEAT_MS = 500
const LOOK_MS = 1_000
const MAX_MARK_MS = 30_000

/**
 * Starts a thread that ends this process if its event loop stops. Otherwise, the process would keep
 * its slots without working. Before the leases of its runs expire, the thread counts a stall for
 * each of them, so that a run that stops one worker after the other ends. If the event loop
 * continues, the stalls are taken back.
 *
 * Counts its own looks instead of the elapsed time, because a suspended process is not stalled.
 */
export function startWatchdog({ url, owner, leaseSeconds, killMs = 60_000 }: WatchdogInput): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const data: WatchdogData = {
    url,
    owner,
    beats,
    killMs,
    lookMs: Math.min(LOOK_MS, killMs / 4),
    // A lease that was due for renewal when the event loop stopped has 70% of its time left.
    markMs: Math.min(MAX_MARK_MS, leaseSeconds * 1000 * 0.4, killMs / 2),
  }
  const beat = setInterval(() => Atomics.add(beats, 0, 1), Math.min(BEAT_MS, data.lookMs / 2)).unref()
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData: data,
    env: {},
    execArgv: [],
  })
  thread.unref()
  return {
    async stop() {
      clearInterval(beat)
      await thread.terminate()
    },
  }
}
