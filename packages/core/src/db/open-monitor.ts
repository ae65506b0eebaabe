import { Socket } from 'node:net'
import pg from 'pg'
import { AppError } from '../base/errors.ts'
import { expire } from './expire.ts'
import { isConnectionError } from './is-connection-error.ts'

/** Tracks whether Postgres responds, so that requests do not wait for an unavailable server. */
export interface DatabaseMonitor {
  readonly isUp: boolean
  /**
   * Calls `cut` once with `service_unavailable` when the database goes down, or after
   * `workLimitMs`. The returned function ends the watch and is idempotent.
   * @throws AppError `service_unavailable` when the database is already down
   */
  watch(cut: (error: AppError) => void): () => void
  /**
   * Runs the work under `watch`. Use it for work outside requests. Requests are covered by the
   * API's `guardDatabase` hook.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Delay before the second try after a missed response, in milliseconds. */
const REPEAT_MS = 50

const unavailable = () =>
  new AppError('service_unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', 2)

/**
 * Sends `SELECT 1` to Postgres over a separate connection every `everyMs`. The server counts as
 * down if it twice in a row does not respond within `limitMs`, because a single slow response does
 * not justify aborting every request in progress. With the defaults, a stopped server is detected
 * within 1 s and an unresponsive one within 2.5 s. Periods in which this process itself is stalled
 * do not count. `workLimitMs` limits the duration of all watched work.
 */
export function openMonitor(input: {
  url: string
  everyMs?: number
  limitMs?: number
  workLimitMs?: number
  onChange?: (isUp: boolean) => void
}): DatabaseMonitor {
  const { url, everyMs = 400, limitMs = 1000, workLimitMs = 10_000, onChange = () => {} } = input
  let isUp = true
  let missed = 0
  let closed = false
  let open: { client: pg.Client; socket: Socket } | null = null
  let timer: NodeJS.Timeout | undefined
  let waiting = new Set<(error: AppError) => void>()

  const set = (up: boolean) => {
    if (up !== isUp) onChange(up)
    isUp = up
    if (up) return
    const failing = waiting
    waiting = new Set()
    for (const fail of failing) fail(unavailable())
  }
  const drop = () => {
    open?.socket.destroy()
    open = null
  }
  const connect = async () => {
    // A socket of its own, because a client that waits for an unresponsive server cannot be ended.
    const socket = new Socket()
    const client = new pg.Client({ connectionString: url, stream: () => socket, keepAlive: true })
    client.on('error', () => {
      if (open?.client === client) drop()
    })
    open = { client, socket }
    await client.connect()
    return client
  }
  const ask = async () => {
    const client = open?.client ?? (await connect())
    await client.query('SELECT 1')
  }
  const beat = async () => {
    const outcome = await Promise.race([
      ask().then(
        () => true,
        () => false,
      ),
      expire(limitMs),
    ])
    if (closed) return
    if (!outcome) drop()
    missed = outcome ? 0 : missed + 1
    if (missed !== 1) set(outcome)
    timer = setTimeout(beat, missed === 1 ? Math.min(everyMs, REPEAT_MS) : everyMs)
    timer.unref()
  }
  void beat()

  const watch = (cut: (error: AppError) => void): (() => void) => {
    if (!isUp) throw unavailable()
    const release = () => {
      clearTimeout(limit)
      waiting.delete(fail)
    }
    const fail = (error: AppError) => {
      release()
      cut(error)
    }
    // The monitor's connection may respond even though the work's connection is dead.
    const limit = setTimeout(() => fail(unavailable()), workLimitMs)
    waiting.add(fail)
    return release
  }

  return {
    get isUp() {
      return isUp
    },
    watch,
    async run(work) {
      let cut: (error: AppError) => void = () => {}
      const gone = new Promise<never>((_, reject) => {
        cut = reject
      })
      const release = watch(cut)
      try {
        return await Promise.race([work(), gone])
      } catch (error) {
        throw isConnectionError(error) ? unavailable() : error
      } finally {
        release()
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      drop()
    },
  }
}
