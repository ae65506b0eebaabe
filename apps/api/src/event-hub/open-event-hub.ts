import { JobEventRecord } from '@corrigenda/contracts'
import { listLiveSessions, type ProjectSession, toSessionKey } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { type EventWatch, listNewEvents, type NewEvents, watchEvents } from '@corrigenda/core/jobs'
import { listLiveKeys } from '@corrigenda/core/keys'
import type { Log } from '@corrigenda/core/runtime'
import { EventReader, type EventText, type NewReader, type ReaderIdentity, type StreamFormat } from './event-reader.ts'

/** Maximum number of events per job, and of jobs, in one read. */
const BATCH_EVENTS = 100
const BATCH_JOBS = 200
/** Maximum number of streams of one job that were opened with job tokens. */
export const MAX_TOKEN_STREAMS = 20

export interface EventHubDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  /** Days after which a session ends even if it is in use. */
  readonly sessionMaxDays: number
}

export interface EventHubOptions {
  /**
   * URL of the database that sends notifications. One connection, opened for the first reader or
   * listener, serves all of them.
   */
  readonly databaseUrl: string
  /** Maximum number of concurrent readers in this process. */
  readonly maxStreams: number
  readonly heartbeatMs?: number
  /**
   * Interval at which the readers' keys and sessions are checked. If one is invalid, its streams
   * end.
   */
  readonly keyCheckMs?: number
  /** Interval at which events are read even without a notification. */
  readonly safetyMs?: number
}

/** All event streams of this process. */
export interface EventHub {
  readonly size: number
  /** Number of bytes that were written to readers but not yet read. */
  readonly heldBytes: number
  /**
   * Half of the streams are available to one project.
   * @throws AppError `too_many_streams`; `service_unavailable` during shutdown
   */
  assertCapacity(projectId: string): void
  /**
   * Limits the streams of a job that were opened with job tokens, so that browsers cannot use the
   * streams of the project.
   * @throws AppError `too_many_streams`
   */
  assertTokenCapacity(jobId: string): void
  /**
   * Starts streaming to this response. The response must be open, and its headers must already be
   * written.
   */
  add(reader: NewReader): void
  /**
   * Calls the listener with the id of each job that may have new events, or with null if any job
   * may have new events. Returns a function that removes the listener.
   */
  listen(listener: (jobId: string | null) => void): () => void
  /**
   * Ends all streams and accepts no new ones. Clients can resume their streams on another process.
   */
  end(): void
  close(): Promise<void>
}

/**
 * Opens the event hub. Notifications only trigger reads from Postgres. One query reads the new
 * events of all notified jobs, and all readers of a job share the result.
 */
export function openEventHub(deps: EventHubDeps, options: EventHubOptions): EventHub {
  const { heartbeatMs = 15_000, keyCheckMs = 2_000, safetyMs = 10_000 } = options
  const readers = new Map<string, Set<EventReader>>()
  const woken = new Set<string>()
  const listeners = new Set<(jobId: string | null) => void>()
  let size = 0
  let isReading = false
  let isEnded = false
  let watch: EventWatch | null = null
  const timers: NodeJS.Timeout[] = []

  const listAll = () => [...readers.values()].flatMap((set) => [...set])

  const wake = (jobId: string | null) => {
    if (jobId === null) for (const id of readers.keys()) woken.add(id)
    else if (readers.has(jobId)) woken.add(jobId)
    if (!isReading && woken.size > 0) void readAll()
  }

  const readAll = async () => {
    isReading = true
    try {
      while (woken.size > 0) await readBatch()
    } catch (error) {
      // The next notification, reconnection or periodic read triggers a retry.
      deps.log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'reading events failed')
    } finally {
      isReading = false
    }
  }

  const readBatch = async () => {
    const jobIds = [...woken].slice(0, BATCH_JOBS)
    for (const jobId of jobIds) woken.delete(jobId)
    const positions = jobIds.flatMap((jobId) => {
      const ready = [...(readers.get(jobId) ?? [])].filter((reader) => !reader.isBlocked)
      return ready.length === 0 ? [] : [{ jobId, after: Math.min(...ready.map((reader) => reader.position)) }]
    })
    if (positions.length === 0) return
    const updates = await listNewEvents(deps, { positions, limit: BATCH_EVENTS })
    const found = new Map(updates.map((entry) => [entry.jobId, entry]))
    for (const { jobId, after } of positions) {
      const entry = found.get(jobId)
      if (entry) deliver(entry, after)
      else for (const reader of readers.get(jobId) ?? []) reader.end()
    }
  }

  const deliver = ({ jobId, events, lastSeq, hasEnded }: NewEvents, after: number) => {
    const records = events.map((event) => JobEventRecord.parse(event))
    const texts = records.map(toText)
    for (const reader of readers.get(jobId) ?? []) {
      if (reader.isBlocked) continue
      // A reader that was added or became ready during the read may need events that precede these
      // rows. It waits for the next read.
      if (reader.position >= after) reader.send(reader.format ? records.map(toTextIn(reader.format)) : texts)
      if (hasEnded && reader.position >= lastSeq) reader.complete()
      else if (!reader.isBlocked && (reader.position < after || (events.length > 0 && reader.position < lastSeq))) {
        woken.add(jobId)
      }
    }
  }

  const checkKeys = async () => {
    const all = listAll()
    if (all.length === 0) return
    const isLive = await findLive(
      deps,
      all.map((reader) => reader.identity),
    )
    for (const reader of all) if (!isLive(reader.identity)) reader.end()
  }

  const start = () => {
    watch = watchEvents({
      url: options.databaseUrl,
      checkMs: safetyMs,
      onWake: (jobId) => {
        wake(jobId)
        for (const listener of listeners) listener(jobId)
      },
      onLost: () => deps.log.warn('event notification connection lost; reconnecting'),
    })
    const beat = () => {
      for (const reader of listAll()) reader.beat()
    }
    const check = () => checkKeys().catch(() => deps.log.warn('access check for event streams failed; retrying'))
    timers.push(setInterval(beat, heartbeatMs), setInterval(check, keyCheckMs))
  }

  const end = () => {
    isEnded = true
    for (const reader of listAll()) reader.end()
  }

  return {
    get size() {
      return size
    },
    get heldBytes() {
      return listAll().reduce((sum, reader) => sum + reader.heldBytes, 0)
    },
    assertCapacity(projectId) {
      if (isEnded) throw new AppError('service_unavailable', 'This process is shutting down. Connect again.', 1)
      const own = listAll().filter(({ projectId: one }) => one === projectId).length
      if (size >= options.maxStreams || own >= Math.ceil(options.maxStreams / 2)) {
        throw new AppError('too_many_streams', 'Too many event streams are open. Try again later, or poll.', 30)
      }
    },
    assertTokenCapacity(jobId) {
      const own = [...(readers.get(jobId) ?? [])].filter(({ identity }) => 'keyId' in identity && identity.expiresAt)
      if (own.length < MAX_TOKEN_STREAMS) return
      throw new AppError('too_many_streams', 'Too many event streams with tokens are open for this job.', 30)
    },
    add(input) {
      // The client disconnected before its stream started. The response's 'close' event has already
      // fired, so the reader would never be removed.
      if (input.response.destroyed) return
      const reader = new EventReader(input, wake)
      const { jobId } = reader
      const ofJob = readers.get(jobId) ?? new Set()
      readers.set(jobId, ofJob.add(reader))
      size += 1
      // The client disconnected. A 'close' event follows.
      input.response.on('error', ignore)
      input.response.once('close', () => {
        size -= 1
        ofJob.delete(reader)
        if (ofJob.size === 0 && readers.get(jobId) === ofJob) readers.delete(jobId)
      })
      if (watch === null) start()
      wake(jobId)
    },
    listen(listener) {
      listeners.add(listener)
      if (watch === null && !isEnded) start()
      return () => listeners.delete(listener)
    },
    end,
    async close() {
      end()
      for (const timer of timers) clearInterval(timer)
      await watch?.close()
    },
  }
}

function ignore(): void {}

function toText(record: JobEventRecord): EventText {
  const { seq, type } = record
  return { seq, text: `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(record)}\n\n` }
}

const toTextIn =
  (format: StreamFormat) =>
  (record: JobEventRecord): EventText => ({ seq: record.seq, text: format.toText(record) })

/**
 * Checks many readers with one query for all keys and one for all sessions. Returns a predicate
 * that is true if a reader still has access: its key or session is valid and belongs to the
 * project.
 */
async function findLive(
  deps: Pick<Database, 'prisma'> & { readonly sessionMaxDays: number },
  identities: readonly ReaderIdentity[],
): Promise<(identity: ReaderIdentity) => boolean> {
  const keyIds = new Set<string>()
  const sessions = new Map<string, ProjectSession>()
  for (const identity of identities) {
    if ('keyId' in identity) keyIds.add(identity.keyId)
    else sessions.set(toSessionKey(identity), identity)
  }
  const liveKeys: ReadonlySet<string> = keyIds.size === 0 ? new Set() : await listLiveKeys(deps, [...keyIds])
  const liveSessions: ReadonlySet<string> =
    sessions.size === 0 ? new Set() : await listLiveSessions(deps, [...sessions.values()], deps.sessionMaxDays)
  const isCurrent = (expiresAt: number | null) => expiresAt === null || expiresAt * 1000 > Date.now()
  return (identity) =>
    'keyId' in identity
      ? liveKeys.has(identity.keyId) && isCurrent(identity.expiresAt)
      : liveSessions.has(toSessionKey(identity))
}
