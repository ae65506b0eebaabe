import type { MessagesRequest } from '@corrigenda/demo/messages-api'

/** Kinds of faults. Blocks are counted from 0, and block 0 is the thinking block. */
export type FaultKind =
  /**
   * An error response instead of a message. `headers` can contain `retry-after`, and `details` can
   * contain an `error_code`.
   */
  | {
      kind: 'status'
      status: number
      type?: string
      message?: string
      details?: Record<string, unknown>
      headers?: Record<string, string>
    }
  /**
   * A response from a proxy instead of the API: a page, or a redirect with `headers.location`.
   * Default: status 200 and HTML.
   */
  | { kind: 'page'; status?: number; body?: string; headers?: Record<string, string> }
  /** The connection is reset before any headers are sent. */
  | { kind: 'reset' }
  /** The connection is cut after block `afterBlock`. Default: in the middle of the last block. */
  | { kind: 'cut'; afterBlock?: number }
  /**
   * The server sends no data, not even pings, for `ms` milliseconds after block `afterBlock`
   * (default 0). The stream then continues.
   */
  | { kind: 'stall'; ms: number; afterBlock?: number }
  /** Status 200, then an SSE `error` event after block `afterBlock` (default 0). */
  | { kind: 'sse_error'; type?: string; message?: string; afterBlock?: number }
  /** The last tool call's input is invalid JSON. */
  | { kind: 'garbage_json' }
  /** An empty response that ends the turn. */
  | { kind: 'empty' }
  /** Stop reason `refusal` with `stop_details`. */
  | { kind: 'refusal'; category?: string | null; explanation?: string }
  /** Stop reason `max_tokens` in the middle of the last tool call. */
  | { kind: 'max_tokens' }
  /** Stop reason `pause_turn`. The client must send the response back unchanged. */
  | { kind: 'pause_turn' }
  | { kind: 'model_context_window_exceeded' }
  /** An undocumented stop reason. */
  | { kind: 'unknown_stop'; reason?: string }
  /** The response is delayed by `ms` milliseconds, with pings. */
  | { kind: 'delay'; ms: number }
  /** The response is held back, with pings, until `release(hold)`. */
  | { kind: 'hold'; hold: string }

export type Fault = FaultKind & {
  /** Number of times that the fault occurs. Default: 1. */
  times?: number
  /** Key for counting `times`. Default: the exact request, so that a repeated request succeeds. */
  key?: string
}

/** A fault injected by a test. It affects the next matching requests. */
export type InjectedFault = FaultKind & { times?: number; match?: (request: MessagesRequest) => boolean }
