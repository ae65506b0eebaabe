import { PolicyFileError, readPolicyFile } from '@corrigenda/agent/policy'
import { type RepositoryAddress, type RunPolicyFile, type RunSource, toRepositoryAddress } from '@corrigenda/contracts'
import { toRepositoryUrl, toRunSettings } from '@corrigenda/core/projects'
import { type Claim, type Earlier, loadRunState, type RunState, startRun } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { type OverlayEntry, openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import type { GitHost } from '../git-host/git-host.ts'
import { withToken } from '../git-host/with-token.ts'
import { pinSources } from './prepare-sources.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A checkout of the run's base commit with the edits from earlier attempts applied. */
export interface PreparedRun extends AsyncDisposable {
  readonly repository: RepositoryAddress
  readonly snapshot: Snapshot
  readonly workTree: WorkTree
  readonly state: RunState
  /** The repository's policy files, which can only narrow the project's policy. */
  readonly policyFiles: readonly RunPolicyFile[]
  /** The sources at the commits that the run reads. Empty for a run of an earlier version. */
  readonly sources: readonly RunSource[]
  /** Branch that the work is pushed to. */
  readonly branch: string
  /** Base branch of the pull request. */
  readonly baseBranch: string
  /**
   * Commit that `branch` must point to when the work is pushed; null if the branch must not exist.
   */
  readonly expected: string | null
}

/** State of a run that no attempt has worked on. */
const NO_STATE: RunState = { rows: [], files: [] }

/**
 * Opens and pins a run's base commit. The first attempt pins the newest commit on the base branch
 * or, for a follow-up, on the job's branch. Later attempts use the pinned commit.
 * @throws RunFailure if the job requests something impossible; Git host errors; LostLeaseError
 */
export async function prepareRun(deps: WorkerDeps, claim: Claim, signal: AbortSignal): Promise<PreparedRun> {
  const repository = toRepositoryAddress(getAllowedUrl(deps, claim))
  const own = claim.earlier?.branch ?? null
  if (own && !claim.base) await assertOpen(deps, { repository, own, signal })
  const snapshot = await openSnapshot(deps, { claim, repository, own, signal })
  try {
    await deps.onPoint('checkout.opened', claim)
    const branch = own?.name ?? claim.options.branch ?? toBranchName(claim)
    const baseBranch = own?.base ?? snapshot.branch
    if (branch === baseBranch) {
      throw new RunFailure(
        'branch_conflict',
        `The job's branch, ${branch}, is the base branch. Choose a different branch name, or omit it.`,
      )
    }
    const policyFiles = claim.base ? claim.policyFiles : await findPolicyFiles(snapshot, own)
    const sources = claim.base ? (claim.sources ?? []) : await pinSources(deps, claim, snapshot, signal)
    if (!claim.base) {
      const base = { baseBranch: snapshot.branch, baseCommit: snapshot.commit }
      await startRun(deps, claim, { ...base, branch, isContinuing: own !== null, policyFiles, sources })
    }
    await deps.onPoint('run.started', claim)
    const state = claim.attempt === 1 ? NO_STATE : await loadRunState(deps, claim.runId)
    const workTree = await openWorkTree({ snapshot, overlay: state.files.map(toOverlayEntry) })
    return {
      ...{ repository, snapshot, workTree, state, policyFiles, sources, branch, baseBranch },
      expected: own ? snapshot.commit : null,
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    }
  } catch (error) {
    await snapshot[Symbol.asyncDispose]()
    throw error
  }
}

type OwnBranch = NonNullable<Earlier['branch']>

/**
 * Opens the snapshot of the run's base commit.
 * @throws RunFailure `branch_gone` when a user deleted the job's branch; BranchMovedError when a
 * force push removed the pinned commit from the branch
 */
async function openSnapshot(
  deps: WorkerDeps,
  input: { claim: Claim; repository: RepositoryAddress; own: OwnBranch | null; signal: AbortSignal },
): Promise<Snapshot> {
  const { claim, repository, own, signal } = input
  try {
    return await withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
      deps.mirrors.openSnapshot({
        tenant: claim.projectId,
        url: `${claim.repositoryUrl}.git`,
        branch: claim.base?.branch ?? own?.name ?? claim.askedBaseBranch,
        commit: claim.base?.commit,
        token,
        signal,
      }),
    )
  } catch (error) {
    if (own === null || !(error instanceof RepositoryError)) throw error
    // A user overwrote the branch while no worker held the run, and the host no longer has the
    // pinned commit.
    if (error.code === 'commit_not_found' && claim.base && !claim.frozen) throw new BranchMovedError(error.message)
    if (error.code !== 'branch_not_found') throw error
    throw new RunFailure('branch_gone', `The job's branch, ${own.name}, was deleted. Create a new job.`)
  }
}

/**
 * Returns the policy files that apply to a new run: the file at its base commit and, for a
 * follow-up on a branch, the file at the commit where its job started, so that a commit on the
 * job's branch cannot bypass the base branch's policy.
 * @throws RunFailure `policy_file_invalid`
 */
async function findPolicyFiles(snapshot: Snapshot, own: OwnBranch | null): Promise<RunPolicyFile[]> {
  try {
    const found = await readPolicyFile(snapshot)
    const before = (own?.policyFiles ?? []).filter(({ blob }) => blob !== found?.blob)
    return found === null ? before : [...before, found]
  } catch (error) {
    throw error instanceof PolicyFileError ? new RunFailure('policy_file_invalid', error.message) : error
  }
}

/**
 * Checks that the pull request is open before the run incurs any cost.
 * @throws RunFailure `pull_request_closed`
 */
async function assertOpen(
  { credentials, openGitHost }: WorkerDeps,
  { repository, own, signal }: { repository: RepositoryAddress; own: OwnBranch; signal: AbortSignal },
): Promise<void> {
  if (own.pullNumber === null) return
  const gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
  try {
    await refuseClosed(gitHost, { number: own.pullNumber, branch: own.name, signal })
  } finally {
    gitHost.close()
  }
}

const toBranchName = ({ jobId, settings }: Claim): string => `${toRunSettings(settings).policy.branchPrefix}${jobId}`

/** Rechecks the URL, because the allowed hosts may have changed since the project was created. */
function getAllowedUrl(deps: WorkerDeps, claim: Claim): string {
  try {
    return toRepositoryUrl(claim.repositoryUrl, deps.allowedRepositoryHosts)
  } catch (error) {
    throw new RunFailure(
      'repository_not_allowed',
      error instanceof Error ? error.message : 'This repository is not allowed.',
    )
  }
}

function toOverlayEntry(file: { path: string; mode: string; content: Uint8Array | null }): OverlayEntry {
  return { path: file.path, mode: file.mode === '100755' ? '100755' : '100644', content: file.content }
}

/**
 * Rejects a follow-up on a pull request that is not open, because commits pushed after a merge
 * would never be published.
 * @throws RunFailure `pull_request_closed`; GitHostError
 */
export async function refuseClosed(
  gitHost: GitHost,
  input: { number: number; branch: string; signal: AbortSignal },
): Promise<void> {
  const pull = await gitHost.findPullRequest(input)
  if (pull !== null && pull.state !== 'open') {
    throw new RunFailure('pull_request_closed', `The pull request has been ${pull.state}. Create a new job.`)
  }
}
