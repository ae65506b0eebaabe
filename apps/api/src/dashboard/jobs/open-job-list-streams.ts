import type { ServerResponse } from 'node:http'
import { AppError } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { listJobProjects } from '@corrigenda/core/jobs'
import type { Log } from '@corrigenda/core/runtime'
import type { EventHub } from '../../event-hub/open-event-hub.ts'

/** Window, in milliseconds, for batching changes into one message. */
const BATCH_MS = 100
const BATCH_JOBS = 500
const HEARTBEAT_MS = 15_000
/**
 * Interval between access checks, in milliseconds. Unless the database is slow, a signed-out user can
 * continue to read for at most twice this long.
 */
const CHECK_MS = 2_000
/**
 * Maximum number of unread bytes. A reader that exceeds it is disconnected, then reconnects and
 * reloads the list.
 */
const MAX_BUFFERED_BYTES = 65_536

interface JobListStreamDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly events: EventHub
}

interface Reader {
  readonly response: ServerResponse
  readonly projectId: string
  /** The signed-in user. */
  readonly userId: string
  /** Returns true while the reader still has access. */
  readonly isAllowed: () => Promise<boolean>
}

/**
 * The open job list streams. Browsers are notified when a list changes, and then fetch the changes.
 */
interface JobListStreams {
  readonly size: number
  /** @throws AppError `too_many_streams`; `service_unavailable` during shutdown */
  assertCapacity(userId: string): void
  /**
   * Starts sending notifications to this response. The response must be open, and its headers must
   * already be written.
   */
  add(reader: Reader): void
  end(): void
}

export function openJobListStreams(
  deps: JobListStreamDeps,
  { maxStreams = 500, maxOwnStreams = 30 } = {},
): JobListStreams {
  const readers = new Set<Reader>()
  const changed = new Set<string>()
  const timers: NodeJS.Timeout[] = []
  let pending: NodeJS.Timeout | null = null
  let stopListening: (() => void) | null = null
  let isEnded = false

  const note = (jobId: string | null) => {
    if (readers.size === 0) return
    // The missed changes are unknown, so every list is reloaded.
    if (jobId === null) return send([...readers], [])
    changed.add(jobId)
    pending ??= setTimeout(() => void flush(), BATCH_MS)
  }

  const flush = async () => {
    pending = null
    const jobIds = [...changed].slice(0, BATCH_JOBS)
    for (const id of jobIds) changed.delete(id)
    if (changed.size > 0) pending = setTimeout(() => void flush(), BATCH_MS)
    try {
      const jobs = await listJobProjects(deps, jobIds)
      for (const reader of [...readers]) {
        const own = jobs.filter(({ projectId }) => projectId === reader.projectId).map(({ id }) => id)
        if (own.length > 0) send([reader], own)
      }
    } catch (error) {
      // The hub's next periodic wake-up reloads every list.
      deps.log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'reading changed jobs failed')
    }
  }

  const send = (recipients: readonly Reader[], jobs: readonly string[]) => {
    const text = `event: jobs\ndata: ${JSON.stringify({ jobs })}\n\n`
    for (const { response } of recipients) {
      if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
      else response.write(text)
    }
  }

  const check = async () => {
    for (const reader of [...readers]) if (!(await reader.isAllowed())) reader.response.end()
  }

  const start = () => {
    stopListening = deps.events.listen(note)
    const beat = () => {
      for (const { response } of readers) response.write(': heartbeat\n\n')
    }
    let isChecking = false
    // Skips a check while the previous one is still running, because the database may be slow.
    const checkAll = async () => {
      if (isChecking) return
      isChecking = true
      await check().catch(() => deps.log.warn('access check for job list readers failed; retrying'))
      isChecking = false
    }
    timers.push(
      setInterval(beat, HEARTBEAT_MS),
      setInterval(() => void checkAll(), CHECK_MS),
    )
  }

  const stop = () => {
    stopListening?.()
    stopListening = null
    for (const timer of timers.splice(0)) clearInterval(timer)
    if (pending) clearTimeout(pending)
    pending = null
  }

  return {
    get size() {
      return readers.size
    },
    assertCapacity(userId) {
      if (isEnded) throw new AppError('service_unavailable', 'This process is shutting down. Connect again.', 1)
      // Limits the streams per user, so that one user cannot exhaust the capacity.
      const own = [...readers].filter((reader) => reader.userId === userId).length
      if (readers.size >= maxStreams || own >= maxOwnStreams) {
        throw new AppError('too_many_streams', 'Too many job lists are open. Try again later.', 30)
      }
    },
    add(reader) {
      // The client disconnected before its stream started, so there is no further 'close' event.
      if (reader.response.destroyed) return
      readers.add(reader)
      if (stopListening === null) start()
      reader.response.on('error', () => {})
      reader.response.once('close', () => {
        readers.delete(reader)
        if (readers.size === 0) stop()
      })
    },
    end() {
      isEnded = true
      for (const { response } of readers) response.end()
      stop()
    },
  }
}
