export type GitHttpErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'redirected'
  | 'too_large'
  | 'timeout'
  | 'network'
  | 'server_error'
  | 'protocol'
  | 'aborted'

interface GitHttpErrorDetails {
  /** HTTP status. Absent if the host did not respond. */
  readonly status?: number
  /** Retry delay requested by the host, in milliseconds. */
  readonly retryAfterMs?: number
}

/**
 * Thrown when a request to a Git host fails. The message contains no credentials, not even in URLs,
 * so it is safe to display.
 */
export class GitHttpError extends Error {
  readonly status: number | null
  readonly retryAfterMs: number | null

  constructor(
    readonly code: GitHttpErrorCode,
    message: string,
    details: GitHttpErrorDetails = {},
  ) {
    super(message)
    this.name = 'GitHttpError'
    this.status = details.status ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }
}
