import type { ServerResponse } from 'node:http'
import type { JobEventRecord } from '@corrigenda/contracts'
import type { ProjectSession } from '@corrigenda/core/accounts'

/** Number of missed heartbeats after which a reader is disconnected. */
const MAX_MISSED_BEATS = 4
/** Number of unread bytes per client at which writing stops. */
const MAX_HELD_BYTES = 131_072

/** An event in wire format. The text is built once for all readers. */
export interface EventText {
  readonly seq: number
  readonly text: string
}

/**
 * The credential that a stream was opened with. The stream ends when the credential becomes
 * invalid.
 */
export type ReaderIdentity = KeyReaderIdentity | ProjectSession

interface KeyReaderIdentity {
  readonly keyId: string
  /** End of the job token that was presented instead of the key, as Unix time in seconds, or null. */
  readonly expiresAt: number | null
}

/** The text of a stream that differs from the service's own event streams. */
export interface StreamFormat {
  readonly toText: (event: JobEventRecord) => string
  /** Builds the end of the stream of a job that has ended. */
  readonly buildEnd: () => Promise<string>
  /** The end of a stream that stops before its job ends. */
  readonly interrupted: string
}

/** A new reader and the job whose events it reads. */
export interface NewReader {
  readonly response: ServerResponse
  readonly jobId: string
  readonly projectId: string
  readonly identity: ReaderIdentity
  /** Sequence number of the last event that the client has received. */
  readonly position: number
  /** Null or omitted: the service's own format. */
  readonly format?: StreamFormat | null
}

/**
 * One event stream. Buffers at most 128 KiB plus one event, then waits until the client has read
 * everything, and rereads the skipped events from the database.
 */
export class EventReader {
  readonly jobId: string
  readonly projectId: string
  readonly identity: ReaderIdentity
  readonly format: StreamFormat | null
  readonly #response: ServerResponse
  #position: number
  #isBlocked = false
  #isEnding = false
  #missedBeats = 0

  /** @param onReady called when a slow client has caught up */
  constructor(
    { response, jobId, projectId, identity, position, format = null }: NewReader,
    onReady: (jobId: string) => void,
  ) {
    this.#response = response
    this.jobId = jobId
    this.projectId = projectId
    this.identity = identity
    this.format = format
    this.#position = position
    response.on('drain', () => {
      this.#missedBeats = 0
      if (!this.#isBlocked || this.#isEnding) return
      this.#isBlocked = false
      onReady(jobId)
    })
  }

  /** Sequence number of the last event that was written. */
  get position(): number {
    return this.#position
  }

  /** True if the client reads too slowly or the stream is ending. No further events are written. */
  get isBlocked(): boolean {
    return this.#isBlocked || this.#isEnding
  }

  /** Number of bytes that were written but not yet read. */
  get heldBytes(): number {
    return this.#response.writableLength
  }

  /** Writes the events after the current position. Stops when the client reads too slowly. */
  send(events: readonly EventText[]): void {
    for (const { seq, text } of events) {
      if (this.isBlocked) return
      if (seq <= this.#position) continue
      this.#position = seq
      const isTaken = this.#response.write(text)
      this.#isBlocked = !isTaken && this.heldBytes >= MAX_HELD_BYTES
    }
  }

  /**
   * Writes a heartbeat for the client and for proxies. Disconnects a client that has stopped
   * reading.
   */
  beat(): void {
    if (!this.#response.writableNeedDrain && !this.#isEnding) this.#response.write(': \n\n')
    else if (++this.#missedBeats >= MAX_MISSED_BEATS) this.#response.destroy()
  }

  /** Ends the stream of a job that has ended, after its last event. */
  complete(): void {
    if (this.format === null) this.end()
    if (this.format === null || this.#isEnding) return
    this.#isEnding = true
    this.format.buildEnd().then(
      (text) => this.#response.end(text),
      () => this.#response.destroy(),
    )
  }

  /**
   * Ends the stream. A blocked stream is closed immediately, and the client reads the remaining
   * events after it reconnects.
   */
  end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    if (this.#isBlocked) this.#response.destroy()
    else this.#response.end(this.format?.interrupted)
  }
}
