import type { MessagesRequest } from '@corrigenda/demo/messages-api'

/** What goes wrong. Blocks are counted from 0; block 0 is the thinking block. */
export type FaultKind =
  /** An error answer instead of a message. `headers` may carry `retry-after`, `details` an `error_code`. */
  | {
      kind: 'status'
      status: number
      type?: string
      message?: string
      details?: Record<string, unknown>
      headers?: Record<string, string>
    }
  /** What something in between answers instead of the API: a page, or with `headers.location` a redirect. Status 200 and HTML by default. */
  | { kind: 'page'; status?: number; body?: string; headers?: Record<string, string> }
  /** The connection is reset before any header. */
  | { kind: 'reset' }
  /** The connection is cut after block `afterBlock`; by default in the middle of the last block. */
  | { kind: 'cut'; afterBlock?: number }
  /** Nothing is sent, no pings either, for `ms` milliseconds after block `afterBlock` (default 0); then it goes on. */
  | { kind: 'stall'; ms: number; afterBlock?: number }
  /** An SSE `error` event after the 200, after block `afterBlock` (default 0). */
  | { kind: 'sse_error'; type?: string; message?: string; afterBlock?: number }
  /** The JSON of the last tool call is not JSON. */
  | { kind: 'garbage_json' }
  /** An answer without any content that ends its turn. */
  | { kind: 'empty' }
  /** Stop reason `refusal` with `stop_details`. */
  | { kind: 'refusal'; category?: string | null; explanation?: string }
  /** Stop reason `max_tokens` in the middle of the last tool call. */
  | { kind: 'max_tokens' }
  /** Stop reason `pause_turn`: the answer is to be sent back as it is. */
  | { kind: 'pause_turn' }
  | { kind: 'model_context_window_exceeded' }
  /** A stop reason nobody has heard of. */
  | { kind: 'unknown_stop'; reason?: string }
  /** The answer comes `ms` milliseconds later, with pings. */
  | { kind: 'delay'; ms: number }
  /** The answer is kept back, with pings, until `release(hold)`. */
  | { kind: 'hold'; hold: string }

export type Fault = FaultKind & {
  /** How often it happens before things go well again; 1 by default. */
  times?: number
  /** What `times` is counted by; by default the exact request, so that a repeated one goes through. */
  key?: string
}

/** A fault put in from outside: it hits the next requests that match. */
export type InjectedFault = FaultKind & { times?: number; match?: (request: MessagesRequest) => boolean }
