import type { IncomingHttpHeaders } from 'node:http'

/** One line of the transcript. It holds no credential. */
export interface RequestRecord {
  /** When it came, epoch milliseconds. */
  at: number
  method: string
  path: string
  /** `anthropic-*`, `x-stainless-retry-count` and `user-agent` only. */
  headers: Record<string, string>
  /** The parsed body; dropped from all but the newest records. */
  body?: unknown
  requestId: string
  /** The HTTP status; 0 while unanswered, or when the connection was reset before one. */
  status: number
  /** Why it was refused, or the message of the fault. */
  error?: string
  /** What went wrong on purpose. */
  fault?: string
  label?: string
  /** The answer, as whole blocks. */
  content?: Record<string, unknown>[]
  stopReason?: string
  usage?: Record<string, unknown>
  /** `aborted`: the client left; `cut`: a fault broke the connection. */
  end: 'open' | 'complete' | 'refused' | 'error' | 'cut' | 'aborted'
  /** How long it took, in milliseconds. */
  ms?: number
}

const kept = /^(anthropic-.+|x-stainless-retry-count|user-agent)$/

export function toSafeHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (kept.test(name) && value) safe[name] = String(value)
  return safe
}
