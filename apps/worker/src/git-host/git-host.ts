import type { GitHostKind, PullRequestState, RepositoryAddress } from '@corrigenda/contracts'
import type { CallOptions } from './call-options.ts'
import type { Access, CredentialSource, Credentials } from './credentials.ts'
import type { Workflows } from './workflows.ts'

/** One kind of Git host. */
export interface GitHostAdapter {
  /** Does no I/O. @throws CredentialsError `bad_app_key` when the key of an App cannot be read */
  buildCredentials(source: CredentialSource): Credentials
  readonly openGitHost: OpenGitHost
}

/** The adapters of all kinds as one: a repository's address chooses, see `gitHostKind`. */
export interface GitHosts {
  /** As {@link GitHostAdapter.buildCredentials}. */
  buildCredentials(source: CredentialSource, kind: GitHostKind): Credentials
  readonly openGitHost: OpenGitHost
}

/**
 * Opens a client for one repository. Fetches a token first, so that a missing credential shows
 * before the work begins.
 * @throws CredentialsError when no token is available; GitHostError
 */
export type OpenGitHost = (input: OpenGitHostInput) => Promise<GitHost>

export interface OpenGitHostInput {
  readonly credentials: Credentials
  readonly repository: RepositoryAddress
  readonly access: Access
  /** Stops every call of the client. */
  readonly signal: AbortSignal
  readonly guard?: GuardWrite
}

/**
 * Runs around each request that writes, directly before it is sent: after all waits for rate limits
 * and retries. Throwing keeps the request from being sent.
 */
export type GuardWrite = <T>(write: { readonly opensPullRequest: boolean }, send: () => Promise<T>) => Promise<T>

/**
 * The API of a Git host for one repository. All calls throw GitHostError (or CredentialsError when
 * a refused token has no successor). Reads are repeated after a 5xx or a broken connection, writes
 * are sent once unless noted. Rate limits are waited for up to 30 s, then `rate_limited` is thrown.
 * A refused token of an App is replaced once.
 */
export interface GitHost {
  readonly repository: RepositoryAddress
  getRepository(options?: CallOptions): Promise<RepositoryFacts>
  /** @throws GitHostError `not_found` */
  getBranch(input: { branch: string } & CallOptions): Promise<BranchTip>
  /** Changes from the merge base of two commits or branches to `head`. */
  compareCommits(input: { base: string; head: string } & CallOptions): Promise<Comparison>
  /**
   * Pull requests from a branch of this repository, in any state, newest first, at most 100. Never
   * those of forks. Finds them after the repository was renamed.
   */
  listPullRequests(input: { branch: string } & CallOptions): Promise<PullRequest[]>
  /**
   * Null when the pull request is from another branch or a fork.
   * @throws GitHostError `not_found`
   */
  findPullRequest(input: { number: number; branch: string } & CallOptions): Promise<PullRequest | null>
  /**
   * Whether a commit is part of a pull request, also below later ones. Hosts list a limited number
   * (GitHub: 250).
   */
  hasCommit(input: { number: number; commit: string } & CallOptions): Promise<boolean>
  /**
   * @throws GitHostError `validation` with a `problem` when the host refuses it; an unknown outcome
   * is not tried again
   */
  createPullRequest(input: NewPullRequest & CallOptions): Promise<PullRequest>
  /** Replaces the text. Repeated like a read. */
  updatePullRequest(input: { number: number; body: string } & CallOptions): Promise<void>
  addLabels(input: { number: number; labels: readonly string[] } & CallOptions): Promise<void>
  /**
   * `reviewers`: logins, and `organization/team` for teams.
   * @throws GitHostError `validation` when one of them cannot review; then none is asked
   */
  requestReviewers(input: { number: number; reviewers: readonly string[] } & CallOptions): Promise<void>
  /**
   * Checks and statuses of a commit together; null when there are none or the credential may not
   * read them.
   */
  findChecks(input: { commit: string } & CallOptions): Promise<ChecksState | null>
  /** A pull request as a unified diff. */
  getDiff(input: { number: number } & CallOptions): Promise<string>
  /** Tries whether the credential has a permission, and changes nothing. */
  testAccess(input: AccessTest & CallOptions): Promise<AccessResult>
  readonly workflows: Workflows
  /** Stops calls under way. May be called twice. */
  close(): void
}

export interface RepositoryFacts {
  /** Present path, which differs from the address after a rename. */
  readonly path: string
  readonly defaultBranch: string
  /** Archived repositories are read-only. */
  readonly isArchived: boolean
  /** Whether the credential's owner may push; null when the host does not say. */
  readonly mayPush: boolean | null
}

export interface BranchTip {
  readonly commit: string
  readonly message: string
}

export interface Comparison {
  /** Null when the host does not say. */
  readonly mergeBase: string | null
  /**
   * Paths; hosts list a limited number (GitHub: 300). A renamed file is one removed and one added.
   */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

export interface PullRequest {
  readonly number: number
  /** Address of its page. */
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

/** `missing`: what the access was tried on does not exist, or the credential may not see it. */
export type AccessResult = 'granted' | 'refused' | 'missing'
