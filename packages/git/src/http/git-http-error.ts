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

export interface GitHttpErrorDetails {
  /** HTTP status; missing when the host did not respond. */
  readonly status?: number
  /** Retry delay that the host requests, in milliseconds. */
  readonly retryAfterMs?: number
}

/**
 * Error of a request to a Git host. The message contains no credential and no URL with a
 * credential, so it may be shown.
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
