import type { IncomingHttpHeaders } from 'node:http'

/** One line of the transcript. It contains no credentials. */
export interface RequestRecord {
  /** Arrival time, in epoch milliseconds. */
  at: number
  method: string
  path: string
  /** `anthropic-*`, `x-stainless-retry-count` and `user-agent` only. */
  headers: Record<string, string>
  /** The parsed body. Only the newest records keep it. */
  body?: unknown
  requestId: string
  /** The HTTP status, or 0 if no response was sent, for example because of a reset. */
  status: number
  /** Reason for the rejection, or the fault's message. */
  error?: string
  /** The fault applied to this request. */
  fault?: string
  label?: string
  /** The response, as complete blocks. */
  content?: Record<string, unknown>[]
  stopReason?: string
  usage?: Record<string, unknown>
  /** `aborted` if the client disconnected, or `cut` if a fault broke the connection. */
  end: 'open' | 'complete' | 'refused' | 'error' | 'cut' | 'aborted'
  /** Duration in milliseconds. */
  ms?: number
}

const kept = /^(anthropic-.+|x-stainless-retry-count|user-agent)$/

export function toSafeHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (kept.test(name) && value) safe[name] = String(value)
  return safe
}
