import type { ServerResponse } from 'node:http'
import type { ProjectSession } from '@corrigenda/core/accounts'

/** Missed heartbeats after which a reader is disconnected. */
const MAX_MISSED_BEATS = 4
/** Limit of unread bytes per client, after which writing stops. */
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
export type ReaderIdentity = { readonly keyId: string } | ProjectSession

/** A new reader and the job whose events it reads. */
export interface NewReader {
  readonly response: ServerResponse
  readonly jobId: string
  readonly identity: ReaderIdentity
  /** Sequence number of the last event that the client has received. */
  readonly position: number
}

/**
 * One event stream. Writes ahead of the client by at most 128 KiB and one event, then waits until
 * the client has read all of it. Later events are read from the database again.
 */
export class EventReader {
  readonly jobId: string
  readonly identity: ReaderIdentity
  readonly #response: ServerResponse
  #position: number
  #isBlocked = false
  #isEnding = false
  #missedBeats = 0

  /** @param onReady called when a slow client has caught up */
  constructor({ response, jobId, identity, position }: NewReader, onReady: (jobId: string) => void) {
    this.#response = response
    this.jobId = jobId
    this.identity = identity
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

  /** True if the client is not reading, or if the stream is ending. Nothing more is written. */
  get isBlocked(): boolean {
    return this.#isBlocked || this.#isEnding
  }

  /** Number of bytes that were written but not yet read. */
  get heldBytes(): number {
    return this.#response.writableLength
  }

  /** Writes the events after the position, until the client is too slow. */
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

  /**
   * Ends the stream. A blocked stream is cut off, and the client reads the remaining events
   * elsewhere.
   */
  end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    if (this.#isBlocked) this.#response.destroy()
    else this.#response.end()
  }
}
