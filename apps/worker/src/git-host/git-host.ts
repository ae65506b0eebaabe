import type { GitHostKind, PullRequestState, RepositoryAddress } from '@corrigenda/contracts'
import type { Access, CredentialSource, Credentials } from './credentials.ts'

/** Adapter for one kind of Git host. */
export interface GitHostAdapter {
  /**
   * Does no I/O.
   * @throws CredentialsError `bad_app_key` if an App's key cannot be parsed
   */
  buildCredentials(source: CredentialSource): Credentials
  readonly openGitHost: OpenGitHost
}

/** All adapters. The repository's URL determines which one is used (see `gitHostKind`). */
export interface GitHosts {
  /** See {@link GitHostAdapter.buildCredentials}. */
  buildCredentials(source: CredentialSource, kind: GitHostKind): Credentials
  readonly openGitHost: OpenGitHost
}

/**
 * Opens a client for one repository. Fetches a token first, so that a missing credential is
 * reported before the work starts.
 * @throws CredentialsError when no token is available; GitHostError
 */
export type OpenGitHost = (input: OpenGitHostInput) => Promise<GitHost>

export interface OpenGitHostInput {
  readonly credentials: Credentials
  readonly repository: RepositoryAddress
  readonly access: Access
  /** Aborts all of the client's calls. */
  readonly signal: AbortSignal
  readonly guard?: GuardWrite
}

/**
 * Wraps each write request. Runs immediately before the request is sent, after any waits for rate
 * limits and retries. If the guard throws, the request is not sent.
 */
export type GuardWrite = <T>(write: { readonly opensPullRequest: boolean }, send: () => Promise<T>) => Promise<T>

/**
 * A Git host's API for one repository. All calls throw GitHostError, or CredentialsError when a
 * rejected token cannot be replaced. Reads are retried after a 5xx or a broken connection; writes
 * are sent once unless noted. Calls wait for rate limits for up to 30 s, then throw `rate_limited`.
 * An App's token is replaced once if it is rejected. Disposing aborts calls in progress, and can be
 * repeated.
 */
export interface GitHost extends Disposable {
  readonly repository: RepositoryAddress
  getRepository(options?: CallOptions): Promise<RepositoryFacts>
  /** Returns the files in a folder, at most 50. Empty if the folder does not exist. */
  readFolder(input: { path: string; ref: string } & CallOptions): Promise<readonly FolderFile[]>
  /** Returns the files of a commit. */
  listFiles(input: { commit: string } & CallOptions): Promise<FileList>
  /** @throws GitHostError `not_found` */
  getBranch(input: { branch: string } & CallOptions): Promise<BranchTip>
  /**
   * Returns the commits reachable from a branch, tag or commit, newest first, at most 100. Without
   * `ref`, starts at the default branch. `since` and `until` limit the commit times.
   * @throws GitHostError `not_found` if the ref does not exist
   */
  listCommits(input: ListCommitsInput & CallOptions): Promise<readonly Commit[]>
  /** Returns the changes from the merge base of two commits or branches to `head`. */
  compareCommits(input: { base: string; head: string } & CallOptions): Promise<Comparison>
  /**
   * Returns the pull requests from a branch of this repository, in any state, newest first, at most
   * 100. Excludes pull requests from forks. Also works after the repository is renamed.
   */
  listPullRequests(input: { branch: string } & CallOptions): Promise<PullRequest[]>
  /**
   * Returns null when the pull request is from a different branch or a fork.
   * @throws GitHostError `not_found`
   */
  findPullRequest(input: { number: number; branch: string } & CallOptions): Promise<PullRequest | null>
  /**
   * Returns the commits of a pull request, which may be from a fork.
   * @throws GitHostError `not_found`
   */
  getPullRequestRange(input: { number: number } & CallOptions): Promise<PullRequestRange>
  /**
   * Returns whether a commit is part of a pull request, even if it is not the newest. Hosts list a
   * limited number of commits (GitHub: 250).
   */
  hasCommit(input: { number: number; commit: string } & CallOptions): Promise<boolean>
  /**
   * Creates a pull request. Does not retry after an unknown outcome.
   * @throws GitHostError `validation` with a `problem` when the host rejects it
   */
  createPullRequest(input: NewPullRequest & CallOptions): Promise<PullRequest>
  /** Replaces the body. The request is retried like a read. */
  updatePullRequest(input: { number: number; body: string } & CallOptions): Promise<void>
  addLabels(input: { number: number; labels: readonly string[] } & CallOptions): Promise<void>
  /**
   * Requests reviews. `reviewers` contains logins and, for teams, `organization/team`.
   * @throws GitHostError `validation` if any of them cannot review, in which case no reviews are
   * requested
   */
  requestReviewers(input: { number: number; reviewers: readonly string[] } & CallOptions): Promise<void>
  /**
   * Returns the combined state of a commit's checks and statuses; null if the commit has neither or
   * the credential cannot read them.
   */
  findChecks(input: { commit: string } & CallOptions): Promise<ChecksState | null>
  /**
   * Returns what others and this credential's account wrote on a pull request at or after `since`:
   * comments in its conversation, submitted reviews, and comments on lines, each at most 300.
   * Oldest first.
   */
  listRemarks(input: { number: number; since: Date | null } & CallOptions): Promise<readonly Remark[]>
  /**
   * Writes an answer: a reply in a thread, or a comment in the conversation if `thread` is null.
   * `previous` is the id of an answer of this account, whose text is replaced instead.
   */
  answerRemark(
    input: { number: number; thread: string | null; previous: string | null; body: string } & CallOptions,
  ): Promise<void>
  /** Returns whether a user may push to the repository now. */
  mayWrite(input: { login: string } & CallOptions): Promise<boolean>
  /** Returns a pull request as a unified diff. */
  getDiff(input: { number: number } & CallOptions): Promise<string>
  /** Tests whether the credential has a permission, without changing anything. */
  testAccess(input: AccessTest & CallOptions): Promise<AccessResult>
  readonly workflows: Workflows
}

export interface RepositoryFacts {
  /** Current path, which differs from the URL after a rename. */
  readonly path: string
  readonly defaultBranch: string
  /** Archived repositories are read-only. */
  readonly isArchived: boolean
  /** False for a public repository; null if the host does not report it. */
  readonly isPrivate: boolean | null
  /** True if the credential's owner can push; null if the host does not report it. */
  readonly mayPush: boolean | null
}

export interface FolderFile {
  readonly name: string
  readonly bytes: Uint8Array
}

interface FileList {
  readonly paths: readonly string[]
  /** True if the host listed only some of the files (GitHub: about 100,000 files and folders). */
  readonly hasMore: boolean
}

export interface Identity {
  readonly name: string
  readonly email: string
}

interface BranchTip {
  readonly commit: string
  readonly message: string
  readonly parents: readonly string[]
  /** Null if the host does not report it. */
  readonly author: Identity | null
  /** Null if the host does not report it. */
  readonly committer: Identity | null
}

export interface ListCommitsInput {
  readonly ref?: string | undefined
  readonly since?: Date
  readonly until?: Date
  /** Maximum number of commits, at most 100. */
  readonly limit: number
}

export interface Commit {
  readonly id: string
  readonly message: string
  /** Null for a root commit. */
  readonly firstParent: string | null
}

interface PullRequestRange {
  readonly title: string
  /** Branch that the pull request merges into. */
  readonly baseBranch: string
  /** Commit of that branch. It may be newer than the fork point. */
  readonly baseCommit: string
  readonly headCommit: string
  /** The fork that contains the head. Null if the repository itself contains it. */
  readonly fork: Fork | null
}

interface Fork {
  /** Path such as `owner/name`; null if the fork was deleted. */
  readonly path: string | null
}

export interface Comparison {
  readonly mergeBase: string
  /**
   * Paths, up to the host's limit (GitHub: 300). A renamed file counts as one removed and one added
   * file.
   */
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
  /** True if the host may have listed only some of the files. */
  readonly hasMoreFiles: boolean
  /** The commits that `base` does not contain, oldest first, up to the host's limit (GitHub: 250). */
  readonly commits: readonly Commit[]
  readonly totalCommits: number
}

export interface PullRequest {
  readonly number: number
  /** URL of the pull request page. */
  readonly url: string
  readonly state: PullRequestState
  readonly draft: boolean
  readonly headSha: string
  /** Changes with every comment and review. */
  readonly updatedAt: Date
  readonly body: string
  /** Login; null if the account no longer exists. */
  readonly author: string | null
  readonly hasLabels: boolean
  readonly hasReviewers: boolean
}

/** A comment or a review on a pull request. */
export interface Remark {
  /** Unique within the pull request, such as `line:17`. Does not change when the text is edited. */
  readonly id: string
  /** Thread of a comment on a line; null for the conversation. */
  readonly thread: string | null
  /** Id of the review that a comment on a line was submitted with. */
  readonly review: string | null
  /** True for a review that requests changes. */
  readonly requestsChanges: boolean
  /** Login; null if the account no longer exists. */
  readonly author: string | null
  readonly isBot: boolean
  readonly body: string
  /** File and line of a comment on a line. The line is null if the file no longer has it. */
  readonly path: string | null
  readonly line: number | null
  readonly createdAt: Date
}

interface NewPullRequest {
  readonly branch: string
  readonly base: string
  readonly title: string
  readonly body: string
  readonly draft: boolean
}

export type ChecksState = 'pending' | 'passed' | 'failed'

export type AccessTest =
  | { readonly to: 'open_pull_requests'; readonly base: string }
  | { readonly to: 'read_pull_requests' }
  | { readonly to: 'read_statuses' | 'read_checks'; readonly commit: string }
  | { readonly to: 'start_workflow'; readonly workflow: string }

/** `missing` means that the target does not exist or is not visible to the credential. */
export type AccessResult = 'granted' | 'refused' | 'missing'

export interface CallOptions {
  /** Aborts this call. The client's signal also aborts it. */
  readonly signal?: AbortSignal
}

/** Workflows on the host. Calls throw the same errors as GitHost. */
export interface Workflows {
  /**
   * Returns a workflow's file at `ref`; null if it is not a readable file.
   * @throws GitHostError `not_found`
   */
  findFile(input: { workflow: string; ref: string } & CallOptions): Promise<Buffer | null>
  /**
   * Starts a workflow. The request is not retried, because a second request would start a second
   * run.
   * @returns the run's id if the host provides it
   */
  start(
    input: { workflow: string; ref: string; inputs: Readonly<Record<string, string>> } & CallOptions,
  ): Promise<number | null>
  /** Sends, without retries, an event that can trigger workflows and other listeners. */
  sendEvent(input: { type: string; payload: Readonly<Record<string, unknown>> } & CallOptions): Promise<void>
  /**
   * Returns the 50 newest runs started by `start` (for one workflow) or by `sendEvent`, newest
   * first.
   */
  listRuns(input: { startedBy: { workflow: string } | 'event' } & CallOptions): Promise<WorkflowRun[]>
  /** @throws GitHostError `not_found` when the run was deleted */
  getRun(input: { id: number } & CallOptions): Promise<WorkflowRun>
}

export interface WorkflowRun {
  readonly id: number
  readonly headBranch: string | null
  readonly headSha: string
  readonly title: string
  /** For example `queued`, `in_progress` or `completed`. Hosts may add values. */
  readonly status: string | null
  readonly conclusion: string | null
  readonly url: string
}
