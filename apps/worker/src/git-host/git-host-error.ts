export type GitHostErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  /** The API redirects to another origin, where no credential is sent. */
  | 'redirected'
  | 'archived'
  | 'validation'
  | 'server_error'
  | 'network'
  | 'timeout'
  | 'aborted'

/** What the host found wrong with a pull request that it refused to open. */
export type PullRequestProblem =
  /** There is an open pull request from the branch. */
  | 'already_exists'
  /** The branch holds nothing that the base lacks. */
  | 'no_commits'
  /** The host does not know the branch, perhaps not yet. */
  | 'unknown_head'
  | 'unknown_base'
  | 'no_drafts'

/**
 * A request to the Git host that did not succeed, the same for all hosts. Rules use `code`. The
 * message tells an operator what to do and holds no secret; neither the request nor an error of the
 * client library is kept, since both hold the token.
 */
export class GitHostError extends Error {
  /** HTTP status of the answer, for logs; null when no answer came. */
  readonly status: number | null
  /**
   * Milliseconds until the request may be sent again, where the host or its documentation says so.
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
   * True when the request may or may not have been carried out: read the state before sending it
   * again.
   */
  get isOutcomeUnknown(): boolean {
    return this.code === 'server_error' || this.code === 'network' || this.code === 'timeout'
  }
}
