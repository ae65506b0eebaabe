import type { MessagesRequest, ModelTurn as PlainTurn } from '@corrigenda/demo/messages-api'
import type { Fault } from './fault.ts'

/** A turn with the strict server's faults and delays. */
export interface ModelTurn extends PlainTurn {
  /** Fault in this response. It occurs `times` times (default 1) per `key`. */
  fault?: Fault
  /** Holds the response back, with pings, until `release(hold)`. */
  hold?: string
  /** Delay before the first block in milliseconds, with pings. */
  delayMs?: number
  /** Written to the transcript to identify the job. */
  label?: string
}

/**
 * Computes the model's next turn from the request alone, so that a repeated conversation receives
 * the same response.
 */
export type ModelScript = (request: MessagesRequest) => ModelTurn
