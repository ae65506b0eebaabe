import type { RestOperation } from './operations.ts'
import type { RunPlan, WorkflowRun } from './workflow-run.ts'

/**
 * The null object id. Git uses it for the old side of a creation and the new side of a deletion.
 */
export const NO_OBJECT = '0'.repeat(40)

export interface Account {
  readonly login: string
  readonly type: 'User' | 'Bot' | 'Organization'
}

export interface Comment {
  readonly id: number
  readonly body: string
  readonly author: Account
  readonly createdAt: string
}

/**
 * A pull request in the host's state. Times are ISO 8601 in UTC, object ids are 40 hexadecimal
 * digits.
 */
export interface PullRequest {
  number: number
  state: 'open' | 'closed'
  title: string
  body: string | null
  draft: boolean
  author: Account
  headRef: string
  /** Tip of the head branch. Frozen when the pull request is closed. */
  headSha: string
  baseRef: string
  /**
   * Tip of the base branch. Frozen when the pull request is closed, so that its diff does not
   * change.
   */
  baseSha: string
  labels: string[]
  reviewers: string[]
  comments: Comment[]
  maintainerCanModify: boolean
  createdAt: string
  updatedAt: string
  closedAt: string | null
  mergedAt: string | null
  mergeSha: string | null
  mergedBy: Account | null
}

export interface CheckRun {
  readonly id: number
  readonly sha: string
  readonly name: string
  readonly status: 'queued' | 'in_progress' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | null
  readonly title: string | null
  readonly at: string
}

export interface CommitStatus {
  readonly id: number
  readonly sha: string
  readonly context: string
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly description: string | null
  readonly at: string
}

/** The host's data about a repository that git does not store. */
export interface RepositoryRecord {
  id: number
  createdAt: string
  archived: boolean
  protectedBranches: string[]
  /** Every user may read and no user may write, as in a public repository of another owner. */
  readOnly?: boolean
  /** Message with which a hook of the host rejects every push. */
  pushRefusal?: string | null
  pulls: PullRequest[]
  checkRuns: CheckRun[]
  statuses: CommitStatus[]
  workflowRuns?: WorkflowRun[]
  /** Plan for runs that start from now on. */
  runPlan?: RunPlan
  /** False for an older host that rejects the parameter `return_run_details`. */
  knowsRunDetails?: boolean
}

/** One update of a ref. `via` is its source. `forced` means that commits were discarded. */
export interface RefUpdate {
  readonly repo: string
  readonly ref: string
  readonly old: string
  readonly new: string
  readonly forced: boolean
  readonly via: 'push' | 'rest' | 'user'
  readonly at: number
}

export type GitOperation = 'git.advertiseFetch' | 'git.advertisePush' | 'git.listRefs' | 'git.fetch' | 'git.push'

export type Operation = GitOperation | RestOperation

/** A request as it arrived. Headers are omitted, so that it contains no credential. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  /** `page` for the HTML pages, `unknown` for requests that the host does not serve. */
  op: Operation | 'page' | 'unknown'
  /** Status sent; 0 while in flight and when the connection was reset. */
  status: number
  /** Parsed body of a REST write. */
  body?: unknown
  fault?: FaultKind
}

export type FaultKind = 'status' | 'apply-then-status' | 'reset' | 'apply-then-reset' | 'delay'

/** A fault for the next `times` requests of an operation. */
export interface Fault {
  readonly op: Operation | '*'
  /** Default 1. Infinity lasts until clearFaults. */
  readonly times?: number
  /**
   * - `status`: returns `status` without performing the operation.
   * - `apply-then-status`: performs the operation, then returns the error status.
   * - `reset`, `apply-then-reset`: the same, but the connection is reset instead of a response.
   * - `delay`: performs the operation later.
   */
  readonly kind: FaultKind
  /** Default 502. */
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly message?: string
  /** Sent as HTML instead of the API's JSON, like an error page of a proxy. */
  readonly page?: string
  /** Runs before the operation, to simulate a concurrent change by a user. */
  readonly meanwhile?: () => Promise<void>
  /** Delay before the operation, in milliseconds. */
  readonly ms?: number
  /**
   * Matches only requests whose "METHOD path body" contains this string. Only the first 4 kB of a
   * git body are searched.
   */
  readonly match?: string
}

export type FileMode = '100644' | '100755' | '120000' | '160000'

/**
 * Change of a path in a commit. `data` is the target of a link (120000) or the commit id of a
 * submodule (160000).
 */
export interface FileChange {
  readonly data: string | Uint8Array
  readonly mode?: FileMode
}

/** Paths to new contents. Null deletes the path. */
export type FileChanges = ReadonlyMap<string, FileChange | null>

export interface HostStats {
  readonly requests: number
  readonly operations: Readonly<Record<string, number>>
  /** Branches with more than one pull request, as "owner/name:branch" to their count. */
  readonly duplicates: Readonly<Record<string, number>>
  readonly refUpdates: readonly RefUpdate[]
  readonly forced: readonly RefUpdate[]
  /** Requests that match no operation, as "METHOD path". */
  readonly unknown: readonly string[]
  readonly unauthorized: number
}
