import type { GitHostKind, PullRequestState, RepositoryAddress } from '@corrigenda/contracts'
import type { CallOptions } from './call-options.ts'
import type { Access, CredentialSource, Credentials } from './credentials.ts'
import type { Workflows } from './workflows.ts'

/** Adapter for one kind of Git host. */
export interface GitHostAdapter {
  /**
   * Does no I/O.
   * @throws CredentialsError `bad_app_key` when the key of an App cannot be read
   */
  buildCredentials(source: CredentialSource): Credentials
  readonly openGitHost: OpenGitHost
}

/** The adapters of all kinds combined. The repository's URL selects one, see `gitHostKind`. */
export interface GitHosts {
  /** See {@link GitHostAdapter.buildCredentials}. */
  buildCredentials(source: CredentialSource, kind: GitHostKind): Credentials
  readonly openGitHost: OpenGitHost
}

/**
 * Opens a client for one repository. Fetches a token first, so that a missing credential is
 * reported before the work begins.
 * @throws CredentialsError when no token is available; GitHostError
 */
export type OpenGitHost = (input: OpenGitHostInput) => Promise<GitHost>

export interface OpenGitHostInput {
  readonly credentials: Credentials
  readonly repository: RepositoryAddress
  readonly access: Access
  /** Aborts every call of the client. */
  readonly signal: AbortSignal
  readonly guard?: GuardWrite
}

/**
 * Wraps each request that writes. Runs directly before the request is sent, after all waits for
 * rate limits and retries. Throwing prevents the request.
 */
export type GuardWrite = <T>(write: { readonly opensPullRequest: boolean }, send: () => Promise<T>) => Promise<T>

/**
 * The API of a Git host for one repository. All calls throw GitHostError, or CredentialsError when
 * a rejected token cannot be replaced. Reads are retried after a 5xx or a broken connection; writes
 * are sent once unless noted. Calls wait for rate limits for up to 30 s, then throw `rate_limited`.
 * A rejected token of an App is replaced once.
 */
export interface GitHost {
  readonly repository: RepositoryAddress
  getRepository(options?: CallOptions): Promise<RepositoryFacts>
  /** @throws GitHostError `not_found` */
  getBranch(input: { branch: string } & CallOptions): Promise<BranchTip>
  /** Returns the changes from the merge base of two commits or branches to `head`. */
  compareCommits(input: { base: string; head: string } & CallOptions): Promise<Comparison>
  /**
   * Returns the pull requests from a branch of this repository, in any state, newest first, at most
   * 100. Excludes those of forks. Also finds them after the repository was renamed.
   */
  listPullRequests(input: { branch: string } & CallOptions): Promise<PullRequest[]>
  /**
   * Returns null when the pull request is from another branch or a fork.
   * @throws GitHostError `not_found`
   */
  findPullRequest(input: { number: number; branch: string } & CallOptions): Promise<PullRequest | null>
  /**
   * Returns whether a commit is part of a pull request, even if later commits follow it. Hosts list
   * a limited number of commits (GitHub: 250).
   */
  hasCommit(input: { number: number; commit: string } & CallOptions): Promise<boolean>
  /**
   * Creates a pull request. Does not retry after an unknown outcome.
   * @throws GitHostError `validation` with a `problem` when the host rejects it
   */
  createPullRequest(input: NewPullRequest & CallOptions): Promise<PullRequest>
  /** Replaces the body. Retried like a read. */
  updatePullRequest(input: { number: number; body: string } & CallOptions): Promise<void>
  addLabels(input: { number: number; labels: readonly string[] } & CallOptions): Promise<void>
  /**
   * Requests reviews. `reviewers`: logins, and `organization/team` for teams.
   * @throws GitHostError `validation` when one of them cannot review; then no review is requested
   */
  requestReviewers(input: { number: number; reviewers: readonly string[] } & CallOptions): Promise<void>
  /**
   * Returns the combined state of the checks and statuses of a commit; null when there are none or
   * the credential may not read them.
   */
  findChecks(input: { commit: string } & CallOptions): Promise<ChecksState | null>
  /** Returns a pull request as a unified diff. */
  getDiff(input: { number: number } & CallOptions): Promise<string>
  /** Tests whether the credential has a permission, without changing anything. */
  testAccess(input: AccessTest & CallOptions): Promise<AccessResult>
  readonly workflows: Workflows
  /** Aborts calls in progress. May be called twice. */
  close(): void
}

export interface RepositoryFacts {
  /** Current path, which differs from the URL after a rename. */
  readonly path: string
  readonly defaultBranch: string
  /** Archived repositories are read-only. */
  readonly isArchived: boolean
  /** True when the credential's owner may push; null when the host does not state it. */
  readonly mayPush: boolean | null
}

export interface BranchTip {
  readonly commit: string
  readonly message: string
}

export interface Comparison {
  /** Null when the host does not provide it. */
  readonly mergeBase: string | null
  /**
   * Paths. Hosts list a limited number (GitHub: 300). A renamed file counts as one removed and one
   * added file.
   */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

export interface PullRequest {
  readonly number: number
  /** URL of its page. */
  readonly url: string
  readonly state: PullRequestState
  readonly draft: boolean
  readonly headSha: string
  readonly body: string
  /** Login; null when the account no longer exists. */
  readonly author: string | null
  readonly hasLabels: boolean
  readonly hasReviewers: boolean
}

export interface NewPullRequest {
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly draft: boolean
}

export type ChecksState = 'pending' | 'passed' | 'failed'

export type AccessTest =
  | { readonly to: 'open_pull_requests'; readonly base: string }
  | { readonly to: 'read_statuses' | 'read_checks'; readonly commit: string }
  | { readonly to: 'start_workflow'; readonly workflow: string }

/** `missing`: the tested object does not exist, or the credential may not see it. */
export type AccessResult = 'granted' | 'refused' | 'missing'
