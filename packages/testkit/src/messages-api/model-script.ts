import type { MessagesRequest, ModelTurn as PlainTurn } from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'

/** A turn with the faults and delays of the strict server. */
export interface ModelTurn extends PlainTurn {
  /** Fault of this response. It occurs `times` times (default 1) per `key`. */
  fault?: Fault
  /** Holds the response back, with pings, until `release(hold)`. */
  hold?: string
  /** Delay before the first block in milliseconds, with pings. */
  delayMs?: number
  /** Written to the transcript to identify the job. */
  label?: string
}

/**
 * Computes the next turn of the model from the request alone, so that a repeated conversation gets
 * the same response.
 */
export type ModelScript = (request: MessagesRequest) => ModelTurn
