import { RUN_QUEUE, WAKE_UP } from '@corrigenda/contracts'
import type { Queue } from 'bullmq'
import { once } from '../base/once.ts'
import { QUEUE_SCHEMA } from '../db/migrate-database.ts'
import type { Log } from '../runtime/open-log.ts'
import type { RedisAddress } from '../runtime/redis-settings.ts'
import { toRedisOptions } from './to-redis-options.ts'

/**
 * Time in ms for which the queue reserves an entry for an unresponsive consumer. A worker settings
 * test checks that it is below the default lease.
 */
export const QUEUE_LOCK_MS = 8_000

/**
 * Maximum time in ms to wait for handlers to finish and connections to close. Handlers receive the
 * stop signal earlier.
 */
const CLOSE_LIMIT_MS = 8_000

/**
 * Location of the queue: Redis when configured, otherwise the Postgres database that stores the
 * jobs.
 */
export type QueueBackend =
  | ({ readonly kind: 'redis' } & RedisAddress)
  | { readonly kind: 'postgres'; readonly url: string }

/**
 * Wake-up queue for workers. Both calls reject within about a second when the queue is unavailable.
 */
export interface RunQueue {
  /** Adds a wake-up. The worker that receives it claims the next run. */
  wakeWorker(): Promise<void>
  /**
   * Counts the wake-ups that no consumer has received. They are not tied to runs, so use
   * `countWork` to count waiting runs.
   */
  countWakeUps(): Promise<number>
  close(): Promise<void>
}

interface RunConsumer {
  /** Stops accepting entries and waits for running handlers. */
  close(): Promise<void>
}

/** Access to the queue for the admin queue board. */
export interface QueueBoard {
  readonly backend: QueueBackend['kind']
  /** Returns the current queue, which is replaced if its first connection fails. */
  current(): Promise<Queue>
}

interface QueueInput {
  readonly backend: QueueBackend
  readonly log: Log
  /** Differs from the default only in tests, to keep queues separate on shared servers. */
  readonly name?: string
}

// BullMQ takes about 9 MB of memory, which a process needs only from its first wake-up on.
const loadBull = once(() => import('bullmq'))

/** Opens the queue. The first call loads BullMQ and connects. */
export function openQueue(input: QueueInput): RunQueue & QueueBoard {
  const { backend, log, name = RUN_QUEUE } = input
  const report = onceEvery(30_000, (error) => log.warn({ err: toPlain(error) }, 'queue unavailable'))
  let queue: Promise<Queue> | null = null
  let worked = false
  const current = () => (queue ??= openBull(name, backend, report))
  const use = async <T>(work: (queue: Queue) => Promise<T>): Promise<T> => {
    const used = current()
    try {
      const result = await work(await used)
      worked = true
      return result
    } catch (error) {
      // A BullMQ queue never recovers if its first connection failed, so the next call uses a new
      // one.
      if (!worked && used === queue) {
        queue = null
        used.then((opened) => opened.close()).catch(report)
      }
      throw isOfCluster(error) ? new Error(NO_CLUSTER, { cause: error }) : error
    }
  }
  // Wake-ups of the same moment are added together.
  let adding: Promise<void> | null = null
  let wakeUps = 0
  const addWakeUps = async (): Promise<void> => {
    await new Promise(setImmediate)
    const entries = Array.from({ length: wakeUps }, () => ({ name: WAKE_UP, data: {} }))
    adding = null
    wakeUps = 0
    await use(async (open) => void (await open.addBulk(entries)))
  }
  return {
    wakeWorker() {
      wakeUps += 1
      adding ??= addWakeUps()
      return adding
    },
    countWakeUps: () => use((open) => open.getWaitingCount()),
    async close() {
      await (await queue)?.close()
    },
    backend: backend.kind,
    current,
  }
}

interface ConsumerInput extends QueueInput {
  readonly concurrency: number
  readonly handle: (lockLost: AbortSignal) => Promise<void>
  /** Differs from {@link QUEUE_LOCK_MS} only in tests. */
  readonly lockMs?: number
}

/**
 * Consumes up to `concurrency` wake-ups at a time. The handler must deal with expected outcomes,
 * including retries, without throwing. The sweeper replaces a lost wake-up. `lockLost` aborts when
 * the queue no longer assigns the entry to this consumer, but only the lease determines which
 * worker holds the run.
 */
export async function openConsumer(input: ConsumerInput): Promise<RunConsumer> {
  const { createPostgresBackend, Worker } = await loadBull()
  const { backend, concurrency, handle, log, name = RUN_QUEUE, lockMs = QUEUE_LOCK_MS } = input
  // BullMQ passes the signal only to a function with three parameters.
  const process = (_entry: unknown, _token?: string, signal?: AbortSignal) =>
    handle(signal ?? new AbortController().signal)
  const options = {
    connection:
      backend.kind === 'redis'
        ? { ...toRedisOptions(backend), maxRetriesPerRequest: null }
        : toPostgres(backend.url, concurrency + 2),
    // An idle consumer on Postgres polls at this interval, in seconds. It is notified of new entries
    // and detects a lost connection, so that polls are only a precaution.
    ...(backend.kind === 'postgres' && { drainDelay: 30 }),
    concurrency,
    lockDuration: lockMs,
    // Not important for recovery, because the sweeper replaces the wake-ups of lost consumers.
    stalledInterval: QUEUE_LOCK_MS,
    // Effectively unlimited, because crashes are counted in Postgres.
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
      closed.catch(() => log.debug('the consumer did not close cleanly'))
      // BullMQ's `close` never returns while the queue is unavailable.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref())])
    },
  }
}

async function openBull(name: string, backend: QueueBackend, report: (error: Error) => void): Promise<Queue> {
  const { createPostgresBackend, Queue } = await loadBull()
  const options = {
    // `add` must fail within a second when Redis is down. The sweeper adds the wake-up later.
    connection:
      backend.kind === 'redis' ? { ...toRedisOptions(backend), maxRetriesPerRequest: 1 } : toPostgres(backend.url, 3),
    skipWaitingForReady: true,
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  }
  const queue = backend.kind === 'redis' ? new Queue(name, options) : new Queue(name, options, createPostgresBackend)
  queue.on('error', report)
  // The type includes the backend, but readers do not depend on it.
  return queue as Queue
}

const toPostgres = (url: string, max: number) => ({ connectionString: url, schema: QUEUE_SCHEMA, max })

/** Limits the rate of reports. An unavailable queue emits many errors per second. */
function onceEvery(ms: number, report: (error: Error) => void): (error: Error) => void {
  let last = 0
  return (error) => {
    if (Date.now() - last < ms) return
    last = Date.now()
    report(error)
  }
}

const NO_CLUSTER = 'Redis Cluster is not supported: see docs/scaling.md#redis'

/** BullMQ's keys of a queue are in several slots. */
const isOfCluster = (error: unknown): boolean =>
  error instanceof Error && /^(CROSSSLOT|MOVED|CLUSTERDOWN|.* keys in request don't hash)/.test(error.message)

const toPlain = (error: Error) => ({ message: isOfCluster(error) ? NO_CLUSTER : error.message || error.name })
