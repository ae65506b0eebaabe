import { toRepositoryAddress } from '@corrigenda/contracts'
import { isConnectionError } from '@corrigenda/core/db'
import {
  type Claim,
  type FrozenPublish,
  findFrozen,
  type InterruptedPublish,
  type RunOutcome,
  toExhausted,
} from '@corrigenda/core/runs'
import type { RepositoryWorkDeps } from '../git-host/git-access.ts'
import { findPullRequest } from '../publish/ensure-pull-request.ts'
import { tryRemoveBranch } from '../publish/remove-branch.ts'

export interface ResolveDeps extends RepositoryWorkDeps {
  readonly maxAttempts: number
}

/** Maximum time for Git host calls after a cancellation, in ms. */
export const CANCEL_TIMEOUT_MS = 8_000

/**
 * Determines the outcome of a run that was interrupted while opening its pull request and must not
 * continue. If the pull request exists on the Git host, the run is completed. Otherwise, the run
 * ends for the given reason. Opens no pull request, and removes a cancelled job's branch.
 * @throws Git host errors
 */
export async function resolveInterruptedPublish(
  deps: ResolveDeps,
  claim: Claim,
  why: InterruptedPublish,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const frozen = await findFrozen(deps, claim.runId)
  if (frozen?.isOpening) {
    const { credentials, openGitHost } = deps
    const { branch, commit: expectedHead } = frozen.publish
    const repository = toRepositoryAddress(claim.repositoryUrl, deps.allowedRepositoryHosts)
    using gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
    const found = await findPullRequest(gitHost, { branch, expectedHead, jobId: claim.jobId, signal })
    if (found) {
      const { number, url, state, draft } = found
      return { kind: 'changed', pullRequest: { number, url, branch, state, draft } }
    }
  }
  if (why === 'attempts_exhausted') return toExhausted(deps.maxAttempts, claim.counters)
  const branchRemoved = frozen === null || (await removeRunBranch(deps, claim, frozen.publish, signal))
  return { kind: 'cancelled', branchRemoved }
}

/**
 * Removes the branch of a run that was cancelled during its push. The branch is useless without a
 * pull request. Best effort: failures are logged.
 */
export async function cleanUpAfterCancel(deps: ResolveDeps, claim: Claim): Promise<void> {
  const { runId, jobId } = claim
  try {
    const frozen = await findFrozen(deps, runId)
    if (frozen?.outcome !== 'cancelled' || frozen.isOpening) return
    await removeRunBranch(deps, claim, frozen.publish, AbortSignal.timeout(CANCEL_TIMEOUT_MS))
  } catch (error) {
    deps.log.warn({ runId, jobId, away: isConnectionError(error) }, 'branch lookup for a cancelled job failed')
  }
}

/**
 * Removes a cancelled run's branch if it exists on the Git host and contains only the run's commit.
 * @returns true if the branch is gone
 */
export async function removeRunBranch(
  deps: ResolveDeps,
  claim: Claim,
  { branch, commit, expected }: FrozenPublish,
  signal: AbortSignal,
): Promise<boolean> {
  // A follow-up's branch contains earlier runs' work and is the head of their pull request.
  if (expected !== null) return false
  return await tryRemoveBranch(deps, claim, { branch, commit }, signal)
}
