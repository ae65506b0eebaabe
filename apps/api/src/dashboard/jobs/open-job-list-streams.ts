import type { ServerResponse } from 'node:http'
import { AppError } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { listJobProjects } from '@corrigenda/core/jobs'
import type { Log } from '@corrigenda/core/runtime'
import type { EventHub } from '../../event-hub/open-event-hub.ts'

/** News that comes within so many ms is told at once. */
const BATCH_MS = 100
const BATCH_JOBS = 500
const HEARTBEAT_MS = 15_000
/** Nobody who was signed out goes on reading for longer, twice over. */
const CHECK_MS = 2_000
/** A reader that takes nothing is let go: it comes back and reads the list. */
const MAX_HELD_BYTES = 65_536

export interface JobListStreamDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly events: EventHub
}

interface Reader {
  readonly response: ServerResponse
  readonly projectId: string
  /** Whose browser it is. */
  readonly userId: string
  /** Whether who reads may still read. */
  readonly isAllowed: () => Promise<boolean>
}

/** The open lists of jobs: browsers that are told when a list has changed. What changed they read from the list. */
export interface JobListStreams {
  readonly size: number
  /** @throws AppError `too_many_streams`; `service_unavailable` while the process ends */
  assertRoom(userId: string): void
  /** Tells this response from now on. It must be open, with its head written. */
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
    // Nobody knows what was missed: every list is read again.
    if (jobId === null) return tell([...readers], [])
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
        if (own.length > 0) tell([reader], own)
      }
    } catch (error) {
      // The hub wakes everybody again soon.
      deps.log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'changed jobs could not be looked up')
    }
  }

  const tell = (told: readonly Reader[], jobs: readonly string[]) => {
    const text = `event: jobs\ndata: ${JSON.stringify({ jobs })}\n\n`
    for (const { response } of told) {
      if (response.writableLength > MAX_HELD_BYTES) response.destroy()
      else response.write(text)
    }
  }

  const check = async () => {
    for (const reader of [...readers]) if (!(await reader.isAllowed())) reader.response.end()
  }

  const start = () => {
    stopListening = deps.events.listen(note)
    const beat = () => {
      for (const { response } of readers) response.write(': still here\n\n')
    }
    let isChecking = false
    // With a slow database the next look waits for the one before.
    const checkAll = async () => {
      if (isChecking) return
      isChecking = true
      await check().catch(() => deps.log.warn('the readers of job lists could not be checked; tried again'))
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
    assertRoom(userId) {
      if (isEnded) throw new AppError('service_unavailable', 'This process is ending. Connect again.', 1)
      // Nobody takes the room of all others.
      const own = [...readers].filter((reader) => reader.userId === userId).length
      if (readers.size >= maxStreams || own >= maxOwnStreams) {
        throw new AppError('too_many_streams', 'Too many lists are open. Try again later.', 30)
      }
    },
    add(reader) {
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
