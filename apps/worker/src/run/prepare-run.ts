import { PolicyFileError, readPolicyFile } from '@corrigenda/agent/policy'
import { type RepositoryAddress, type RunPolicyFile, toRepositoryAddress } from '@corrigenda/contracts'
import { toRepositoryUrl, toRunSettings } from '@corrigenda/core/projects'
import { type Claim, type Earlier, loadRunState, type RunState, startRun } from '@corrigenda/core/runs'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import type { OverlayEntry } from '@corrigenda/git/work-tree'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { withToken } from '../git-host/with-token.ts'
import { refuseClosed } from './refuse-closed.ts'
import { BranchMovedError, RunFailure } from './run-failure.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A checkout at the run's base commit with the edits of earlier attempts on it. */
export interface PreparedRun extends AsyncDisposable {
  readonly repository: RepositoryAddress
  readonly snapshot: Snapshot
  readonly workTree: WorkTree
  readonly state: RunState
  /** The repository's own policy, which can only narrow the project's. */
  readonly policyFiles: readonly RunPolicyFile[]
  /** Where the work goes to. */
  readonly branch: string
  /** What the pull request is opened against. */
  readonly baseBranch: string
  /** Commit that `branch` must be at when the work is pushed; null when it must not exist yet. */
  readonly expected: string | null
}

/**
 * Opens the newest commit of the base branch, or of the job's own branch for a follow-up, or the one an earlier attempt was pinned to, and pins it.
 * @throws RunFailure when the job asks for what cannot be; errors of the Git host; LostLeaseError
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
        `The job asks to work on ${branch}, which is the base branch. Name another branch, or none.`,
      )
    }
    const policyFiles = claim.base ? claim.policyFiles : await findPolicyFiles(snapshot, own)
    if (!claim.base) {
      const base = { baseBranch: snapshot.branch, baseCommit: snapshot.commit }
      await startRun(deps, claim, { ...base, branch, isContinuing: own !== null, policyFiles })
    }
    await deps.onPoint('run.started', claim)
    const state = await loadRunState(deps, claim.runId)
    const workTree = await openWorkTree({ snapshot, overlay: state.files.map(toOverlayEntry) })
    return {
      ...{ repository, snapshot, workTree, state, policyFiles, branch, baseBranch },
      expected: own ? snapshot.commit : null,
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    }
  } catch (error) {
    await snapshot[Symbol.asyncDispose]()
    throw error
  }
}

type OwnBranch = NonNullable<Earlier['branch']>

/** @throws RunFailure `branch_gone` when people deleted the branch of the job; BranchMovedError when they overwrote what the run was pinned to */
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
    // People wrote the branch anew while nobody worked on the run, and the host has forgotten what it was pinned to.
    if (error.code === 'commit_not_found' && claim.base && !claim.frozen) throw new BranchMovedError(error.message)
    if (error.code !== 'branch_not_found') throw error
    throw new RunFailure('branch_gone', `The branch ${own.name} of this job was deleted. Create a new job.`)
  }
}

/**
 * What holds for a run that begins: the file at the commit it begins with and, for a follow-up on a branch, the one its job began with, so that nobody
 * gets around the base branch's policy with a commit on the branch of the job.
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

/** Before anything is spent on it. @throws RunFailure `pull_request_closed` */
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

/** The policy may have become stricter since the project was made. */
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
