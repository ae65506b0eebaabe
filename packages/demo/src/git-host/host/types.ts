import type { RestOperation } from './operations.ts'
import type { RunPlan, WorkflowRun } from './workflow-run.ts'

/**
 * The null object ID. Git uses it for the old side of a creation and the new side of a deletion.
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
 * A pull request in the host's state. Times are ISO 8601 in UTC. Object IDs are 40 hexadecimal
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
  /** Path of the fork that contains the head branch. Absent for the repository itself. */
  fork?: string
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

/** Repository data that the host stores because git does not. */
export interface RepositoryRecord {
  id: number
  createdAt: string
  archived: boolean
  /** Absent for a private repository. */
  isPublic?: boolean
  protectedBranches: string[]
  /**
   * If true, every user can read and no user can write, as in another owner's public repository.
   */
  readOnly?: boolean
  /** Message of a hook that rejects every push, or null if pushes are allowed. */
  pushRefusal?: string | null
  pulls: PullRequest[]
  checkRuns: CheckRun[]
  statuses: CommitStatus[]
  workflowRuns?: WorkflowRun[]
  /** Plan for future runs. */
  runPlan?: RunPlan
  /** False to simulate an older host, which rejects the parameter `return_run_details`. */
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

/** A request as received. Headers are omitted, so that it contains no credentials. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  /** `page` for the HTML pages, `unknown` for requests that the host does not serve. */
  op: Operation | 'page' | 'unknown'
  /** Status sent, or 0 while in flight or if the connection was reset. */
  status: number
  /** Parsed body of a REST write. */
  body?: unknown
  fault?: FaultKind
}

export type FaultKind = 'status' | 'apply-then-status' | 'reset' | 'apply-then-reset' | 'delay'

/** A fault that affects the next `times` requests for an operation. */
export interface Fault {
  readonly op: Operation | '*'
  /** Default: 1. Infinity keeps the fault until clearFaults is called. */
  readonly times?: number
  /**
   * - `status`: returns `status` without performing the operation.
   * - `apply-then-status`: performs the operation, then returns the error status.
   * - `reset`, `apply-then-reset`: the same, but resets the connection instead of sending a
   *   response.
   * - `delay`: performs the operation later.
   */
  readonly kind: FaultKind
  /** Default: 502. */
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly message?: string
  /** Sent as JSON instead of the API's error. */
  readonly body?: unknown
  /** Sent as HTML instead of the API's JSON, like a proxy's error page. */
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
 * Change to a path in a commit. `data` is a link's target (120000) or a submodule's commit ID
 * (160000).
 */
export interface FileChange {
  readonly data: string | Uint8Array
  readonly mode?: FileMode
}

/** New contents, keyed by path. Null deletes the path. */
export type FileChanges = ReadonlyMap<string, FileChange | null>

export interface HostStats {
  readonly requests: number
  readonly operations: Readonly<Record<string, number>>
  /** Number of pull requests per branch ("owner/name:branch"), for branches with more than one. */
  readonly duplicates: Readonly<Record<string, number>>
  readonly refUpdates: readonly RefUpdate[]
  readonly forced: readonly RefUpdate[]
  /** Requests that match no operation, as "METHOD path". */
  readonly unknown: readonly string[]
  readonly unauthorized: number
}
