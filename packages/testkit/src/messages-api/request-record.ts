import type { IncomingHttpHeaders } from 'node:http'

/** One line of the transcript. It contains no credential. */
export interface RequestRecord {
  /** Time of arrival, in epoch milliseconds. */
  at: number
  method: string
  path: string
  /** `anthropic-*`, `x-stainless-retry-count` and `user-agent` only. */
  headers: Record<string, string>
  /** The parsed body. Only the newest records keep it. */
  body?: unknown
  requestId: string
  /** The HTTP status; 0 while there is no response, or when the connection was reset before one. */
  status: number
  /** Reason for the rejection, or the message of the fault. */
  error?: string
  /** The fault applied to this request. */
  fault?: string
  label?: string
  /** The response, as complete blocks. */
  content?: Record<string, unknown>[]
  stopReason?: string
  usage?: Record<string, unknown>
  /** `aborted`: the client disconnected; `cut`: a fault broke the connection. */
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
