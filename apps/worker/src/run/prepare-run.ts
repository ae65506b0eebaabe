import type { RunState } from '@corrigenda/core'
import { type Claim, loadRunState, startRun, toRepositoryUrl } from '@corrigenda/core'
import type { Snapshot } from '../git/open-snapshot.ts'
import { openWorkTree, type WorkTree } from '../git/open-work-tree.ts'
import type { OverlayEntry } from '../git/overlay.ts'
import { type Repository, toRepository } from '../github/repository.ts'
import { withToken } from '../github/with-token.ts'
import { RunFailure } from './run-failure.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A checkout at the run's base commit with the edits of earlier attempts on it. */
export interface PreparedRun extends AsyncDisposable {
  readonly repository: Repository
  readonly snapshot: Snapshot
  readonly workTree: WorkTree
  readonly state: RunState
  readonly branch: string
}

/**
 * Opens the newest commit of the base branch, or the one an earlier attempt was pinned to, and pins it.
 * @throws RunFailure when the job asks for what cannot be; errors of the Git host; LostLeaseError
 */
export async function prepareRun(deps: WorkerDeps, claim: Claim, signal: AbortSignal): Promise<PreparedRun> {
  const repository = toRepository(getAllowedUrl(deps, claim))
  const snapshot = await withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
    deps.mirrors.openSnapshot({
      tenant: claim.projectId,
      url: `${claim.repositoryUrl}.git`,
      branch: claim.base?.branch ?? claim.askedBaseBranch,
      commit: claim.base?.commit,
      token,
      signal,
    }),
  )
  try {
    await deps.onPoint('checkout.opened', claim)
    const branch = claim.options.branch ?? `corrigenda/${claim.jobId}`
    if (branch === snapshot.branch) {
      throw new RunFailure(
        'branch_conflict',
        `The job asks to work on ${branch}, which is the base branch. Name another branch, or none.`,
      )
    }
    if (!claim.base) await startRun(deps, claim, { baseBranch: snapshot.branch, baseCommit: snapshot.commit, branch })
    await deps.onPoint('run.started', claim)
    const state = await loadRunState(deps, claim.runId)
    const workTree = await openWorkTree({ snapshot, overlay: state.files.map(toOverlayEntry) })
    return {
      repository,
      snapshot,
      workTree,
      state,
      branch,
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    }
  } catch (error) {
    await snapshot[Symbol.asyncDispose]()
    throw error
  }
}

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
