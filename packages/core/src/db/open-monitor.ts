import { Socket } from 'node:net'
import pg from 'pg'
import { AppError } from '../base/errors.ts'
import { expire } from './expire.ts'

/** Tracks whether Postgres responds, so that requests do not wait for an unavailable server. */
export interface DatabaseMonitor {
  readonly isUp: boolean
  /**
   * Calls `cut` once when the database goes down, or after `workLimitMs`. The returned function ends
   * the watch and is idempotent.
   * @throws AppError `service_unavailable` when the database is already down
   */
  watch(cut: (error: InterruptedError) => void): () => void
  /**
   * Runs the work under `watch`. Use it for work outside requests. Requests are covered by the
   * API's `guardDatabase` hook.
   * @throws AppError `service_unavailable` when the database is already down; InterruptedError
   */
  run<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The wait for a database operation was ended. The operation may still be running, and a write may
 * still be committed.
 */
export class InterruptedError extends Error {
  /** `down`: the database stopped responding. `slow`: the time limit was reached. */
  constructor(
    readonly reason: 'down' | 'slow',
    message: string,
  ) {
    super(message)
    this.name = 'InterruptedError'
  }
}

/** Delay before the second try after a missed response, in milliseconds. */
const REPEAT_MS = 50

const unavailable = (cause: string) =>
  new AppError('service_unavailable', 'The database is temporarily unavailable. Try again in a few seconds.', 2, {
    cause: new Error(cause),
  })

/**
 * Sends `SELECT 1` to Postgres over a separate connection every `everyMs`. The server counts as
 * down if it twice in a row does not respond within `limitMs`, because a single slow response does
 * not justify aborting every request in progress. With the defaults, a stopped server is detected
 * within 1 s and an unresponsive one within 2.5 s. Periods in which this process itself is stalled
 * do not count. Work that waits for a lock is not an outage.
 * @param input.countBytes returns the number of bytes received on other connections to the server.
 *   While it increases, a slow response means that the machine is busy.
 * @param input.workLimitMs limits the duration of all watched work, which covers broken connections
 *   that the separate connection does not show. It exceeds the limits on statements and on waiting
 *   for locks, whose errors prove that nothing was changed.
 * @param input.onChange called with the reason when the server goes down, and with null afterwards
 */
export function openMonitor(input: {
  url: string
  everyMs?: number
  limitMs?: number
  workLimitMs?: number
  countBytes?: () => number
  onChange?: (outage: string | null) => void
}): DatabaseMonitor {
  const { url, everyMs = 400, limitMs = 1000, workLimitMs = 20_000 } = input
  const { countBytes = () => 0, onChange = () => {} } = input
  let outage: string | null = null
  let missed = 0
  let closed = false
  let open: { client: pg.Client; socket: Socket } | null = null
  let timer: NodeJS.Timeout | undefined
  let waiting = new Set<(error: InterruptedError) => void>()

  const set = (problem: string | null) => {
    if ((problem === null) !== (outage === null)) onChange(problem)
    outage = problem
    if (problem === null) return
    const failing = waiting
    waiting = new Set()
    for (const fail of failing) fail(new InterruptedError('down', problem))
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
  /** Returns the problem, or null if the server responds. */
  const probe = async (): Promise<string | null> => {
    const before = countBytes()
    const outcome = await Promise.race([
      ask().then(
        () => null,
        (error: Error & { code?: string }) => `${error.code ?? 'error'}: ${error.message}`,
      ),
      expire(limitMs),
    ])
    if (outcome === null) return null
    drop()
    if (outcome !== false) return outcome
    return countBytes() > before ? null : `no response within ${limitMs} ms`
  }
  const beat = async () => {
    const problem = await probe()
    if (closed) return
    missed = problem === null ? 0 : missed + 1
    if (missed !== 1) set(problem)
    timer = setTimeout(beat, missed === 1 ? Math.min(everyMs, REPEAT_MS) : everyMs)
    timer.unref()
  }
  void beat()

  const watch = (cut: (error: InterruptedError) => void): (() => void) => {
    if (outage !== null) throw unavailable(outage)
    const release = () => {
      clearTimeout(limit)
      waiting.delete(fail)
    }
    const fail = (error: InterruptedError) => {
      release()
      cut(error)
    }
    // The monitor's connection may respond even though the work's connection is dead.
    const slow = () => fail(new InterruptedError('slow', `no result within ${workLimitMs} ms`))
    const limit = setTimeout(slow, workLimitMs)
    waiting.add(fail)
    return release
  }

  return {
    get isUp() {
      return outage === null
    },
    watch,
    async run(work) {
      let cut: (error: InterruptedError) => void = () => {}
      const gone = new Promise<never>((_, reject) => {
        cut = reject
      })
      const release = watch(cut)
      try {
        return await Promise.race([work(), gone])
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
