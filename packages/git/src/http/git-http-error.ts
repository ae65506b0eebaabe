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
  /** HTTP status when the host answered at all. */
  readonly status?: number
  /** How long the host asks us to stay away, in milliseconds. */
  readonly retryAfterMs?: number
}

/** A request to a Git host that did not succeed. The message holds no credential and no address with one, so it may be shown. */
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
