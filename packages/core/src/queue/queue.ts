import { RUN_QUEUE, WAKE_UP } from '@corrigenda/contracts'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { QUEUE_SCHEMA } from '../db/migrate-database.ts'
import type { Log } from '../runtime/open-log.ts'

/**
 * How long the queue keeps an entry for a consumer that gives no sign of life, in ms. A test of the
 * worker's settings holds it below the default lease.
 */
export const QUEUE_LOCK_MS = 15_000

/** Longest wait for handlers and connections to end. Handlers are told to end before. */
const CLOSE_LIMIT_MS = 8_000

/** Where the queue is. Redis when configured, else the same Postgres that holds the jobs. */
export type QueueBackend =
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Both calls reject within about a second when the queue is away. */
export interface RunQueue {
  /** Adds a wake-up: the worker that takes it claims whichever run is next. */
  wakeWorker(): Promise<void>
  /** Wake-ups that no consumer has taken yet. They name no run: `countWork` counts the runs that wait. */
  countWakeUps(): Promise<number>
  close(): Promise<void>
}

/** What shows the queue to operators. */
export interface QueueBoard {
  readonly backend: QueueBackend['kind']
  /** The queue as it is open now: another one takes its place when its first connection failed. */
  current(): Queue
}

export interface RunConsumer {
  /** Takes no further entries and waits for the handlers that run. */
  close(): Promise<void>
}

/** @param name other than the default only in tests, to keep queues apart on shared servers */
export function openQueue(input: { backend: QueueBackend; log: Log; name?: string }): RunQueue & QueueBoard {
  const { backend, log, name = RUN_QUEUE } = input
  const open = () => {
    const queue = openBull(name, backend)
    queue.on('error', report)
    return queue
  }
  const report = onceEvery(30_000, (error) => log.warn({ err: toPlain(error) }, 'queue unavailable'))
  let queue = open()
  let worked = false
  const use = async <T>(work: (queue: Pick<Queue, 'add' | 'getWaitingCount'>) => Promise<T>): Promise<T> => {
    const used = queue
    try {
      const result = await work(used)
      worked = true
      return result
    } catch (error) {
      // A queue whose very first connection failed never recovers, so the next call gets a new one.
      if (!worked && used === queue) {
        queue = open()
        used.close().catch(report)
      }
      throw error
    }
  }
  return {
    wakeWorker: () => use(async (open) => void (await open.add(WAKE_UP, {}))),
    countWakeUps: () => use((open) => open.getWaitingCount()),
    close: () => queue.close(),
    backend: backend.kind,
    // The kind of backend is part of the type; who only looks at the queue does not care.
    current: () => queue as Queue,
  }
}

/**
 * Consumes wake-ups, `concurrency` at a time. The handler must not throw for expected endings: it
 * retries by itself, and the sweeper replaces a lost wake-up. `lockLost` aborts when the queue no
 * longer counts the entry as this consumer's; the lease decides who holds the run.
 */
export function openConsumer(input: {
  backend: QueueBackend
  concurrency: number
  handle: (lockLost: AbortSignal) => Promise<void>
  log: Log
  name?: string
  /** Other than {@link QUEUE_LOCK_MS} only in tests. */
  lockMs?: number
}): RunConsumer {
  const { backend, concurrency, handle, log, name = RUN_QUEUE, lockMs = QUEUE_LOCK_MS } = input
  // BullMQ passes the signal only to a function with three parameters.
  const process = (_entry: unknown, _token?: string, signal?: AbortSignal) =>
    handle(signal ?? new AbortController().signal)
  const options = {
    connection:
      backend.kind === 'redis'
        ? { url: backend.url, maxRetriesPerRequest: null }
        : toPostgres(backend.url, concurrency + 2),
    concurrency,
    lockDuration: lockMs,
    stalledInterval: 5_000,
    // Crashes are counted in Postgres.
    maxStalledCount: 1_000,
  }
  const worker =
    backend.kind === 'redis'
      ? new Worker(name, process, options)
      : new Worker(name, process, options, createPostgresBackend)
  worker.on(
    'error',
    onceEvery(30_000, (error) => log.warn({ err: toPlain(error) }, 'queue unavailable')),
  )
  worker.on('lockRenewalFailed', (entries) => {
    for (const id of entries) worker.cancelJob(id, 'lock lost')
  })
  worker.on('failed', (entry, error) => log.error({ entry: entry?.id, err: toPlain(error) }, 'handler failed'))
  return {
    async close() {
      const closed = worker.close()
      closed.catch(() => log.debug('the consumer closed late'))
      // With the queue away its own close never returns.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref())])
    },
  }
}

function openBull(name: string, backend: QueueBackend) {
  const options = {
    // A dead Redis must make `add` fail within a second instead of waiting for ever: the sweeper adds again later.
    connection: backend.kind === 'redis' ? { url: backend.url, maxRetriesPerRequest: 1 } : toPostgres(backend.url, 3),
    skipWaitingForReady: true,
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  }
  return backend.kind === 'redis' ? new Queue(name, options) : new Queue(name, options, createPostgresBackend)
}

const toPostgres = (url: string, max: number) => ({ connectionString: url, schema: QUEUE_SCHEMA, max })

/** A queue that is away reports it many times a second. */
function onceEvery(ms: number, report: (error: Error) => void): (error: Error) => void {
  let last = 0
  return (error) => {
    if (Date.now() - last < ms) return
    last = Date.now()
    report(error)
  }
}

const toPlain = (error: Error) => ({ message: error.message || error.name })
