import { isConnectionError } from '@corrigenda/core/db'
import { type Claim, findFrozen } from '@corrigenda/core/runs'
import { removeRunBranch } from '../publish/remove-branch.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Maximum time for Git host calls after a cancellation, in ms. */
export const CANCEL_TIMEOUT_MS = 8_000

/**
 * Removes the branch of a run that was cancelled during its push. The branch is useless without a
 * pull request. Best effort: failures are logged.
 */
export async function cleanUpAfterCancel(deps: WorkerDeps, claim: Claim): Promise<void> {
  try {
    const frozen = await findFrozen(deps, claim.runId)
    if (frozen?.outcome === 'cancelled' && !frozen.isOpening) {
      await removeRunBranch(deps, claim, AbortSignal.timeout(CANCEL_TIMEOUT_MS))
    }
  } catch (error) {
    const { runId, jobId } = claim
    deps.log.warn({ runId, jobId, away: isConnectionError(error) }, 'branch lookup for a cancelled job failed')
  }
}
