export type GitHostErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  /** The API redirects to a different origin. Credentials are not sent there. */
  | 'redirected'
  | 'archived'
  | 'validation'
  | 'server_error'
  | 'network'
  | 'timeout'
  | 'aborted'

/** Reason why the host rejected a pull request. */
export type PullRequestProblem =
  /** The branch already has an open pull request. */
  | 'already_exists'
  /** The branch has no commits that are missing from the base. */
  | 'no_commits'
  /** The branch does not exist on the host, or is not visible there yet. */
  | 'unknown_head'
  | 'unknown_base'
  | 'no_drafts'

/**
 * Error from a request to the Git host, in the same form for all hosts. Retry rules use `code`. The
 * message is for the operator and contains no secrets. The request and the client library's error
 * are not retained, because both contain the token.
 */
export class GitHostError extends Error {
  /** HTTP status of the response, for logs; null if no response was received. */
  readonly status: number | null
  /**
   * Milliseconds until the request may be retried, if the host or its documentation specifies a
   * wait.
   */
  readonly retryAfterMs: number | null
  /** Set when `createPullRequest` fails with `validation` for one of these reasons. */
  readonly problem: PullRequestProblem | null

  constructor(
    readonly code: GitHostErrorCode,
    message: string,
    details: { status?: number | null; retryAfterMs?: number | null; problem?: PullRequestProblem | null } = {},
  ) {
    super(message)
    this.name = 'GitHostError'
    this.status = details.status ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.problem = details.problem ?? null
  }

  /**
   * True if the request may have been carried out. Read the current state before sending it again.
   */
  get isOutcomeUnknown(): boolean {
    return this.code === 'server_error' || this.code === 'network' || this.code === 'timeout'
  }
}

/** Returns the name of an error for the log. Messages may quote the host's response. */
export function toReason(error: unknown): string {
  if (error instanceof GitHostError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
