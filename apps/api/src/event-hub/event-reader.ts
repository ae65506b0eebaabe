import type { ServerResponse } from 'node:http'
import type { ProjectSession } from '@corrigenda/core/accounts'

/** A reader that takes nothing for so many heartbeats is gone. */
const MAX_MISSED_BEATS = 4
/** Bytes that wait for a client before nothing more is written. */
const MAX_HELD_BYTES = 131_072

/** An event as it goes over the wire; the text is made once for all readers. */
export interface EventText {
  readonly seq: number
  readonly text: string
}

/** What a stream was opened with: it ends when that is worth nothing any more. */
export type ReaderIdentity = { readonly keyId: string } | ProjectSession

/** Who wants to read which job's events. */
export interface NewReader {
  readonly response: ServerResponse
  readonly jobId: string
  readonly identity: ReaderIdentity
  /** Sequence number of the last event that the client has. */
  readonly position: number
}

/**
 * One event stream. Writes ahead of the client by 128 KiB and one event at most, then waits until all of that was taken: what follows is read from
 * the rows again.
 */
export class EventReader {
  readonly jobId: string
  readonly identity: ReaderIdentity
  readonly #response: ServerResponse
  #position: number
  #isBlocked = false
  #isEnding = false
  #missedBeats = 0

  /** @param onReady called when a client that was too slow has caught up */
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

  /** The client does not take what was written, or the stream is ending: nothing more is written. */
  get isBlocked(): boolean {
    return this.#isBlocked || this.#isEnding
  }

  /** Bytes that were written and not taken. */
  get heldBytes(): number {
    return this.#response.writableLength
  }

  /** Writes those events that come after the position, until the client is too slow. */
  send(events: readonly EventText[]): void {
    for (const { seq, text } of events) {
      if (this.isBlocked) return
      if (seq <= this.#position) continue
      this.#position = seq
      const isTaken = this.#response.write(text)
      this.#isBlocked = !isTaken && this.heldBytes >= MAX_HELD_BYTES
    }
  }

  /** Shows that the connection lives, to proxies too. Lets go of a client that takes nothing any more. */
  beat(): void {
    if (!this.#response.writableNeedDrain && !this.#isEnding) this.#response.write(': \n\n')
    else if (++this.#missedBeats >= MAX_MISSED_BEATS) this.#response.destroy()
  }

  /** What the client has not taken yet of a stream that is cut off, it reads again elsewhere. */
  end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    if (this.#isBlocked) this.#response.destroy()
    else this.#response.end()
  }
}
