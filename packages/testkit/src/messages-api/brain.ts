import type { MessagesRequest, BrainTurn as PlainTurn } from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'

/** A turn with what the strict server does to it. */
export interface BrainTurn extends PlainTurn {
  /** What goes wrong with this answer, `times` times (1) per `key`. */
  fault?: Fault
  /** Keep the answer back, with pings, until `release(hold)`. */
  hold?: string
  /** Wait this long before the first block, in milliseconds, with pings. */
  delayMs?: number
  /** Goes into the transcript, to tell jobs apart. */
  label?: string
}

/** The next turn of the model as a function of the request alone, so that a repeated conversation gets the same answer. */
export type Brain = (request: MessagesRequest) => BrainTurn
