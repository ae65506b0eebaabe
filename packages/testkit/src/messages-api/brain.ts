import type { Fault } from './fault.ts'
import type { MessagesRequest } from './messages-request.ts'

/** A block a brain says. The server adds ids to calls, and an empty thinking block when there is none. */
export type BrainBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> }

export type BrainTurn = {
  content: BrainBlock[]
  /** The stop reason; `tool_use` or `end_turn` when absent. */
  stop?: string
  /** What goes wrong with this answer, `times` times (1) per `key`. */
  fault?: Fault
  /** Keep the answer back, with pings, until `release(hold)`. */
  hold?: string
  /** Wait this long before the first block, in milliseconds, with pings. */
  delayMs?: number
  /** Wait this long before each block, in milliseconds, so that a person can follow. */
  paceMs?: number
  /** Goes into the transcript, to tell jobs apart. */
  label?: string
}

/**
 * What the model says next: a function of the request alone. It may remember nothing, so that a repeated, resumed or
 * concurrent conversation gets the same answer.
 */
export type Brain = (request: MessagesRequest) => BrainTurn
