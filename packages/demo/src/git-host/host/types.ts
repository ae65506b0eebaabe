import type { KeyObject } from 'node:crypto'

/**
 * The null object ID. Git uses it for the old side of a creation and the new side of a deletion.
 */
export const NO_OBJECT = '0'.repeat(40)

export interface Account {
  readonly login: string
  readonly type: 'User' | 'Bot' | 'Organization'
}

export type Permissions = Readonly<Record<string, 'read' | 'write'>>

/** The GitHub App that is installed on every repository of the host. */
export interface AppRegistration {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly installationId: number
  permissions: Permissions
  /** In PKCS #1 PEM format, as issued by GitHub. */
  readonly privateKey: string
  readonly publicKey: KeyObject
}

/** A manifest that a user has submitted to register an App. Its code can be used once. */
export interface SubmittedManifest {
  readonly name: string
  readonly permissions: Permissions
  readonly hasHook: boolean
}

/** What a fine-grained personal access token or an installation token may do. */
export interface Grant {
  readonly kind: 'user' | 'installation'
  /** IDs of the repositories that the token covers, or null for all. */
  readonly repositoryIds: readonly number[] | null
  readonly permissions: Permissions
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

export interface Comment {
  readonly id: number
  body: string
  readonly author: Account
  readonly createdAt: string
  updatedAt: string
}

/** A comment on a line of a pull request's diff. */
export interface ReviewComment extends Comment {
  readonly reviewId: number
  /** ID of the first comment of the thread; null for that comment itself. */
  readonly inReplyTo: number | null
  readonly path: string
  readonly line: number
}

export interface Review {
  readonly id: number
  readonly body: string
  readonly author: Account
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'PENDING'
  readonly submittedAt: string
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
  reviews: Review[]
  reviewComments: ReviewComment[]
  createdAt: string
  closedAt: string | null
  mergedAt: string | null
}

export interface CheckRun {
  readonly sha: string
  readonly name: string
  readonly status: 'queued' | 'in_progress' | 'completed'
  readonly conclusion?: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | null
}

export interface CommitStatus {
  readonly sha: string
  readonly context: string
  readonly state: 'error' | 'failure' | 'pending' | 'success'
}

/** A workflow run in the host's state. */
export interface WorkflowRun {
  readonly id: number
  /** `.github/workflows/<file>` */
  readonly path: string
  readonly event: 'workflow_dispatch' | 'repository_dispatch'
  readonly title: string
  readonly headBranch: string
  readonly headSha: string
  readonly inputs: Readonly<Record<string, string>>
  plan: RunPlan
  /** Number of polls of this run. The run advances with each poll. */
  asked: number
  /** Number of list requests since the run started. */
  listed: number
}

/** The simulated progress and result of a workflow run. */
export interface RunPlan {
  /**
   * Number of polls before the run completes. The run is queued at the first poll and in progress at
   * the others. Default: 2.
   */
  readonly endsAfter: number
  readonly conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out'
  /** Number of list responses that omit a new run, as on a busy host. Default: 0. */
  readonly unlistedFor: number
}

/** Repository data that the host stores because git does not. */
export interface RepositoryRecord {
  id: number
  archived: boolean
  isPublic: boolean
  protectedBranches: string[]
  /** Users with write permission, in addition to the owner of the classic token. */
  writers: string[]
  /**
   * If true, every user can read and no user can write, as in another owner's public repository.
   */
  readOnly: boolean
  /** Message of a hook that rejects every push, or null if pushes are allowed. */
  pushRefusal: string | null
  pulls: PullRequest[]
  checkRuns: CheckRun[]
  statuses: CommitStatus[]
  workflowRuns: WorkflowRun[]
  /** Plan for future runs. */
  runPlan: RunPlan
  /** False to simulate an older host, which rejects the parameter `return_run_details`. */
  knowsRunDetails: boolean
}

/** One update of a ref. `via` is its source. `forced` means that commits were discarded. */
export interface RefUpdate {
  readonly repo: string
  readonly ref: string
  readonly old: string
  readonly new: string
  readonly forced: boolean
  readonly via: 'push' | 'user'
  readonly at: number
}

/**
 * Change to a path in a commit. `data` is a link's target (120000) or a submodule's commit ID
 * (160000).
 */
export interface FileChange {
  readonly data: string | Uint8Array
  readonly mode?: '100644' | '100755' | '120000' | '160000'
}

/** New contents, keyed by path. Null deletes the path. */
export type FileChanges = ReadonlyMap<string, FileChange | null>
