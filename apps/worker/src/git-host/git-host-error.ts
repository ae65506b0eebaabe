export type GitHostErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  /** The API redirects to another origin. Credentials are not sent there. */
  | 'redirected'
  | 'archived'
  | 'validation'
  | 'server_error'
  | 'network'
  | 'timeout'
  | 'aborted'

/** Reason why the host refused to open a pull request. */
export type PullRequestProblem =
  /** There is an open pull request from the branch. */
  | 'already_exists'
  /** The branch contains no commits that the base lacks. */
  | 'no_commits'
  /** The branch does not exist on the host, or not yet. */
  | 'unknown_head'
  | 'unknown_base'
  | 'no_drafts'

/**
 * Error of a request to the Git host, in one form for all hosts. Rules use `code`. The message
 * advises the operator and contains no secret. The request and the error of the client library are
 * not kept, because both contain the token.
 */
export class GitHostError extends Error {
  /** HTTP status of the response, for logs; null when there was none. */
  readonly status: number | null
  /**
   * Milliseconds until the request may be sent again, if the host or its documentation states it.
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
   * Returns true when the request may or may not have been carried out. Read the state before
   * sending it again.
   */
  get isOutcomeUnknown(): boolean {
    return this.code === 'server_error' || this.code === 'network' || this.code === 'timeout'
  }
}
