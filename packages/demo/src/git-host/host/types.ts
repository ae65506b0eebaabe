import type { RestOperation } from './operations.ts'
import type { RunPlan, WorkflowRun } from './workflow-run.ts'

/** An object id of nothing: what git calls the old side of a creation and the new side of a deletion. */
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

/** A pull request as the host keeps it. Times are ISO 8601 in UTC, object ids 40 hexadecimal digits. */
export interface PullRequest {
  number: number
  state: 'open' | 'closed'
  title: string
  body: string | null
  draft: boolean
  author: Account
  headRef: string
  /** Tip of the head branch; no longer follows it once the pull request is closed. */
  headSha: string
  baseRef: string
  /** Tip of the base branch; frozen when the pull request is closed, so that its diff stays what it was. */
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

/** Everything the host knows of a repository beyond what git itself holds. */
export interface RepositoryRecord {
  id: number
  createdAt: string
  archived: boolean
  protectedBranches: string[]
  /** Everybody may read and nobody may write, as in a repository one was not invited to. */
  readOnly?: boolean
  /** What a hook of the host says to every push before it refuses it. */
  pushRefusal?: string | null
  pulls: PullRequest[]
  checkRuns: CheckRun[]
  statuses: CommitStatus[]
  workflowRuns?: WorkflowRun[]
  /** How runs that start from now on go. */
  runPlan?: RunPlan
  /** False: a host that does not know `return_run_details` yet, and says so. */
  knowsRunDetails?: boolean
}

/** One move of a ref: `via` says who did it. `forced` means that commits were thrown away. */
export interface RefUpdate {
  readonly repo: string
  readonly ref: string
  readonly old: string
  readonly new: string
  readonly forced: boolean
  readonly via: 'push' | 'rest' | 'person'
  readonly at: number
}

export type GitOperation = 'git.advertiseFetch' | 'git.advertisePush' | 'git.listRefs' | 'git.fetch' | 'git.push'

export type Operation = GitOperation | RestOperation

/** A request as it arrived. Headers are left out, so that no credential can be in here. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  /** `page` for the pages people look at, `unknown` for what the host does not serve. */
  op: Operation | 'page' | 'unknown'
  /** Status sent; 0 while in flight and when the connection was reset. */
  status: number
  /** Parsed body of a REST write. */
  body?: unknown
  fault?: FaultKind
}

export type FaultKind = 'status' | 'apply-then-status' | 'reset' | 'apply-then-reset' | 'delay'

/** What goes wrong with the next `times` requests of an operation. */
export interface Fault {
  readonly op: Operation | '*'
  /** Default 1; Infinity until clearFaults. */
  readonly times?: number
  /**
   * - `status`: answered with `status`, nothing happens.
   * - `apply-then-status`: it happens, and the answer says it did not.
   * - `reset`, `apply-then-reset`: the same two with a cut connection instead of an answer.
   * - `delay`: only later.
   */
  readonly kind: FaultKind
  /** Default 502. */
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly message?: string
  /** Sent as HTML instead of the API's JSON: the page of something in between. */
  readonly page?: string
  /** Done before anything else: what people do at this very moment. */
  readonly meanwhile?: () => Promise<void>
  /** Waited before anything else, milliseconds. */
  readonly ms?: number
  /** Only requests whose "METHOD path body" contains this; of a git body only the first 4 kB count. */
  readonly match?: string
}

export type FileMode = '100644' | '100755' | '120000' | '160000'

/** What a commit does to a path. `data` is the target of a link (120000) or the commit id of a submodule (160000). */
export interface FileChange {
  readonly data: string | Uint8Array
  readonly mode?: FileMode
}

/** Paths to new contents; null deletes. */
export type FileChanges = ReadonlyMap<string, FileChange | null>

export interface HostStats {
  readonly requests: number
  readonly operations: Readonly<Record<string, number>>
  /** Branches with more than one pull request, as "owner/name:branch" to their count. */
  readonly duplicates: Readonly<Record<string, number>>
  readonly refUpdates: readonly RefUpdate[]
  readonly forced: readonly RefUpdate[]
  /** Requests that no operation answers, as "METHOD path". */
  readonly unknown: readonly string[]
  readonly unauthorized: number
}
