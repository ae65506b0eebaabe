import { toRepositoryAddress } from '@corrigenda/contracts'
import { type Claim, findFrozen, type InterruptedPublish, type RunOutcome, toExhausted } from '@corrigenda/core/runs'
import { findPullRequest } from '../publish/ensure-pull-request.ts'
import { removeRunBranch } from '../publish/remove-branch.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Determines the outcome of a run that was interrupted while opening its pull request and must not
 * continue. If the pull request exists on the Git host, the run is completed. Otherwise, the run
 * ends for the given reason. Opens no pull request, and removes a cancelled job's branch.
 * @throws Git host errors
 */
export async function resolveInterruptedPublish(
  deps: WorkerDeps,
  claim: Claim,
  why: InterruptedPublish,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const frozen = await findFrozen(deps, claim.runId)
  if (frozen?.isOpening) {
    const found = await findPublished(deps, claim, frozen.publish, signal)
    if (found) {
      const { number, url, state, draft } = found
      return { kind: 'changed', pullRequest: { number, url, branch: frozen.publish.branch, state, draft } }
    }
  }
  if (why === 'attempts_exhausted') return toExhausted(deps.maxAttempts, claim.counters)
  return { kind: 'cancelled', branchRemoved: await removeRunBranch(deps, claim, signal) }
}

async function findPublished(
  { credentials, openGitHost }: WorkerDeps,
  claim: Claim,
  { branch, commit }: { branch: string; commit: string },
  signal: AbortSignal,
) {
  const repository = toRepositoryAddress(claim.repositoryUrl)
  const gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
  try {
    return await findPullRequest({ gitHost }, { branch, expectedHead: commit, jobId: claim.jobId, signal })
  } finally {
    gitHost.close()
  }
}
