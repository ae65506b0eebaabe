import type { MessagesRequest } from './messages-request.ts'

/**
 * A block of a turn. The server adds IDs to calls, and an empty thinking block if the turn contains
 * no thinking.
 */
export type ModelBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> }

export interface ModelTurn {
  content: ModelBlock[]
  /** The stop reason. Default: `tool_use` or `end_turn`. */
  stop?: string
  /** Delay before each block in milliseconds, so that users can follow the output. */
  paceMs?: number
}

/**
 * Computes the model's next turn from the request alone. A model script is stateless, so a
 * repeated, resumed or concurrent conversation gets the same response.
 */
export type ModelScript = (request: MessagesRequest) => ModelTurn
