import type { MessagesRequest } from './messages-request.ts'

/** A block of a turn. The server adds ids to calls, and an empty thinking block when there is none. */
export type BrainBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> }

export interface BrainTurn {
  content: BrainBlock[]
  /** The stop reason; `tool_use` or `end_turn` when absent. */
  stop?: string
  /** Wait this long before each block, in milliseconds, so that a person can follow. */
  paceMs?: number
}

/**
 * The next turn of the model as a function of the request alone. A brain keeps no state, so a repeated, resumed or
 * concurrent conversation gets the same answer.
 */
export type Brain = (request: MessagesRequest) => BrainTurn
