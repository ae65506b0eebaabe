import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDirectSession } from '../db/is-direct-session.ts'
import type { Log } from '../runtime/open-log.ts'
import { toWorkerKey, WORKER_LOCKS } from './worker-key.ts'

/** Runs a statement on the session and returns its rows. */
export type SessionQuery = <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>

export interface WorkerSession {
  /** Releases the lock and closes the connection. Idempotent. */
  close(): Promise<void>
}

export interface WorkerSessionInput {
  /** URL of a direct connection to Postgres. */
  readonly url: string
  /** The worker's name in leases. */
  readonly owner: string
  readonly log: Log
  /**
   * Called for every session once it holds the lock. The returned function is called repeatedly
   * until the session ends, and returns the delay in ms before the next call. If either throws, the
   * session is replaced.
   */
  readonly onOpen: (query: SessionQuery) => Promise<() => Promise<number>>
}

/** Limits in ms. Statements take milliseconds, so a longer wait means a dead connection. */
const CONNECT_MS = 3_000
const STATEMENT_MS = 3_000
/** A lost session is replaced immediately. The delay after each failed try doubles, up to a limit. */
const FIRST_WAIT_MS = 50
const MAX_WAIT_MS = 1_000
/** A session that ends sooner counts as a failed try. */
const SHORT_MS = 1_000

class PooledError extends Error {}

/**
 * Holds an advisory lock on a connection of its own for as long as this process runs. Postgres
 * releases the lock when the process ends, because its connection closes. The lock is shared, so
 * that a new session gets it even if Postgres has not yet noticed the end of the previous one.
 *
 * Gives up with a warning if a connection pooler is in between, because the lock would belong to the
 * pooler's connection.
 */
export function openWorkerSession(input: WorkerSessionInput): WorkerSession {
  const { log } = input
  const stopping = new AbortController()
  const loop = async () => {
    let isReported = false
    for (let waitMs = FIRST_WAIT_MS; !stopping.signal.aborted; ) {
      let heldAt = Number.POSITIVE_INFINITY
      try {
        await holdSession(input, stopping.signal, () => {
          heldAt = performance.now()
          if (isReported) log.info('worker session restored')
          isReported = false
        })
      } catch (error) {
        if (error instanceof PooledError) {
          log.warn(
            'the database is behind a connection pooler, so runs of a crashed worker continue only after their lease expires: set DATABASE_DIRECT_URL',
          )
          return
        }
        if (!isReported && !stopping.signal.aborted)
          log.warn({ reason: toReason(error) }, 'worker session lost; reconnecting')
        isReported = true
      }
      if (performance.now() - heldAt >= SHORT_MS) waitMs = FIRST_WAIT_MS
      else {
        await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
        waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)
      }
    }
  }
  const ended = loop()
  return {
    close() {
      stopping.abort()
      return ended
    },
  }
}

/** Resolves after `stop`, and rejects when the session ends for another reason. */
async function holdSession(
  { url, owner, onOpen }: WorkerSessionInput,
  stop: AbortSignal,
  onHeld: () => void,
): Promise<void> {
  // A socket of its own, because a client that waits for an unresponsive server cannot be ended.
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    application_name: `corrigenda-worker ${owner}`.slice(0, 63),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const ended = new AbortController()
  const end = (error: Error) => ended.abort(error)
  client.on('error', end)
  client.on('end', () => end(new Error('the connection was closed')))
  const onStop = () => end(new Error('closed'))
  stop.addEventListener('abort', onStop, { once: true })
  const query: SessionQuery = async (text, values = []) => (await client.query(text, [...values])).rows
  try {
    await client.connect()
    if (!(await isDirectSession(client))) throw new PooledError()
    await query(
      `SELECT set_config('statement_timeout', $3, false), set_config('lock_timeout', '1000', false),
         pg_try_advisory_lock_shared($1::int, $2::int)`,
      // Advisory lock keys are signed.
      [WORKER_LOCKS, toWorkerKey(owner) | 0, String(STATEMENT_MS)],
    )
    const work = await onOpen(query)
    onHeld()
    while (!ended.signal.aborted) {
      const waitMs = await work()
      await sleep(waitMs, undefined, { signal: ended.signal }).catch(() => {})
    }
    if (!stop.aborted) throw ended.signal.reason
  } finally {
    stop.removeEventListener('abort', onStop)
    socket.destroy()
  }
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
