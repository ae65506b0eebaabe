import { PolicyFileError, readPolicyFile } from '@corrigenda/agent/policy'
import type { RepositoryAddress, RunPolicyFile, RunSource } from '@corrigenda/contracts'
import { toRunSettings } from '@corrigenda/core/projects'
import { type Claim, type Earlier, loadRunState, type RunState, startRun } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { openSnapshot, toAllowedRepository } from '../git-host/git-access.ts'
import type { GitHost } from '../git-host/git-host.ts'
import { pinSources, type RepositoryDeps } from './prepare-sources.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import type { OnPoint } from './run-point.ts'

export interface PrepareDeps extends RepositoryDeps {
  readonly onPoint: OnPoint
}

/** A checkout of the run's base commit with the edits from earlier attempts applied. */
export interface PreparedRun extends AsyncDisposable {
  readonly claim: Claim
  /** Aborts the work on the run. */
  readonly signal: AbortSignal
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

/**
 * Opens and pins a run's base commit. The first attempt pins the newest commit on the base branch
 * or, for a follow-up, on the job's branch. Later attempts use the pinned commit.
 * @throws RunFailure if the job requests something impossible; Git host errors; LostLeaseError
 */
export async function prepareRun(deps: PrepareDeps, claim: Claim, signal: AbortSignal): Promise<PreparedRun> {
  const repository = toAllowedRepository(deps, claim.repositoryUrl)
  const own = claim.earlier?.branch ?? null
  if (own && own.pullNumber !== null && !claim.base) {
    // Before the run incurs any cost.
    const { credentials, openGitHost } = deps
    using gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
    await refuseClosed(gitHost, { number: own.pullNumber, branch: own.name, signal })
  }
  const snapshot = await openBase(deps, claim, repository, signal)
  try {
    await deps.onPoint('checkout.opened', claim)
    const branch =
      own?.name ?? claim.options.branch ?? `${toRunSettings(claim.settings).policy.branchPrefix}${claim.jobId}`
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
    const state: RunState = claim.attempt === 1 ? { rows: [], files: [] } : await loadRunState(deps, claim.runId)
    const overlay = state.files.map(({ path, mode, content }) => {
      return { path, mode: mode === '100755' ? '100755' : '100644', content } as const
    })
    return {
      claim,
      signal,
      repository,
      snapshot,
      workTree: await openWorkTree({ snapshot, overlay }),
      state,
      policyFiles,
      sources,
      branch,
      baseBranch,
      expected: own ? snapshot.commit : null,
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    }
  } catch (error) {
    await snapshot[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Opens the snapshot of the run's base commit.
 * @throws RunFailure `branch_gone` when a user deleted the job's branch; BranchMovedError when a
 * force push removed the pinned commit from the branch
 */
async function openBase(
  deps: PrepareDeps,
  { projectId, base, earlier, askedBaseBranch, frozen }: Claim,
  repository: RepositoryAddress,
  signal: AbortSignal,
): Promise<Snapshot> {
  const own = earlier?.branch
  const branch = base?.branch ?? own?.name ?? askedBaseBranch
  try {
    return await openSnapshot(deps, { projectId, repository, branch, commit: base?.commit, signal })
  } catch (error) {
    if (!own || !(error instanceof RepositoryError)) throw error
    // A user overwrote the branch while no worker held the run, and the host no longer has the
    // pinned commit.
    if (error.code === 'commit_not_found' && base && !frozen) throw new BranchMovedError(error.message)
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
async function findPolicyFiles(snapshot: Snapshot, own: Earlier['branch']): Promise<RunPolicyFile[]> {
  try {
    const found = await readPolicyFile(snapshot)
    const before = (own?.policyFiles ?? []).filter(({ blob }) => blob !== found?.blob)
    return found === null ? before : [...before, found]
  } catch (error) {
    throw error instanceof PolicyFileError ? new RunFailure('policy_file_invalid', error.message) : error
  }
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
