import { LostLeaseError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import {
  claimDeployment,
  DEPLOYMENTS,
  type DeploymentClaim,
  type DeploymentOutcome,
  finishDeployment,
  forgetDeployments,
  releaseDeployment,
} from '@corrigenda/core/deployments'
import {
  type Clocks,
  holdLease,
  type Polling,
  pollUntilStopped,
  readClocks,
  ShutdownError,
} from '@corrigenda/core/leases'
import { CredentialsError } from '../git-host/credentials.ts'
import { forProject } from '../git-host/git-access.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { deploy, hideSecrets } from './deploy.ts'
import { type DeployDeps, DeployFailure } from './deploy-step.ts'

/** Interval between clean-ups of old deployments. */
const CLEAN_UP_MS = 600_000

export interface DeployerOptions {
  /** Interval between two polls, in seconds. */
  readonly seconds: number
  /**
   * Maximum number of deployments that one process works on concurrently; default 20. They mostly
   * wait for other services.
   */
  readonly slots?: number
}

/**
 * Claims and runs deployments. Also polls whenever a deployment ends, because the project's next
 * deployment may then start.
 */
export function startDeployer(deps: DeployDeps & DeployerOptions): Polling {
  const { log, shutdown, seconds, slots = 20 } = deps
  const deployments = pollUntilStopped(deps, {
    name: 'deployments',
    everyMs: seconds * 1000,
    slots,
    shutdown,
    async poll() {
      const claimedAt = readClocks()
      const claim = await claimDeployment(deps, deps)
      return claim === null ? [] : [workOnDeployment(deps, claim, claimedAt)]
    },
  })
  const cleanUp = pollUntilStopped(
    { log },
    {
      name: 'old deployments',
      everyMs: CLEAN_UP_MS,
      shutdown,
      poll: async () => void (await forgetDeployments(deps)),
    },
  )
  return {
    wake: deployments.wake,
    stop: async () => void (await Promise.all([deployments.stop(), cleanUp.stop()])),
  }
}

/**
 * Runs a claimed deployment under its lease and records its outcome. Never throws. A worker that
 * takes over continues from the last recorded state.
 * @param claimedAt clock readings taken before the claim was sent
 */
export async function workOnDeployment(given: DeployDeps, claim: DeploymentClaim, claimedAt: Clocks): Promise<void> {
  const deps = forProject(given, claim.projectId)
  const { statusId, attempt, projectId } = claim
  deps.log.info({ statusId, projectId, attempt }, 'deployment claimed')
  const lease = holdLease(deps, DEPLOYMENTS, claim, claimedAt)
  const limitMs = claim.target?.kind === 'hook' ? deps.limits.hookMs : deps.limits.workflowMs
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs - claim.elapsedMs)))
  const signal = AbortSignal.any([lease.signal, timeout])
  try {
    const outcome = await deploy(deps, claim, { signal, assertHeld: lease.assertHeld }).catch((error: unknown) => {
      // The interrupted call may wrap or replace the abort reason.
      if (lease.signal.aborted) throw lease.signal.reason
      if (timeout.aborted) return toTimeout(limitMs)
      return toFailure(deps, claim, error)
    })
    await finishDeployment(deps, claim, { ...outcome, summary: hideSecrets(deps, claim, outcome.summary) })
    deps.log.info({ statusId, projectId, status: outcome.status }, 'deployment ended')
  } catch (error) {
    await leave(deps, claim, error)
  } finally {
    lease.stop()
  }
}

/** Stops the work without recording an outcome. */
async function leave(deps: DeployDeps, claim: DeploymentClaim, error: unknown): Promise<void> {
  const { statusId, attempt } = claim
  try {
    if (error instanceof ShutdownError) await releaseDeployment(deps, claim)
    else throw error
  } catch (problem) {
    if (problem instanceof LostLeaseError)
      deps.log.warn({ statusId, attempt }, 'deployment lease lost; nothing written')
    else if (isConnectionError(problem))
      deps.log.error({ statusId, attempt }, 'database unavailable; the deployment continues after its lease expires')
    else
      deps.log.error(
        { statusId, attempt, err: problem },
        'deployment outcome not written; the deployment continues after its lease expires',
      )
  }
}

/** @throws the error if it concerns the lease or the database rather than the deployment */
function toFailure(deps: DeployDeps, claim: DeploymentClaim, error: unknown): DeploymentOutcome {
  if (error instanceof LostLeaseError || isConnectionError(error)) throw error
  if (error instanceof DeployFailure || error instanceof GitHostError || error instanceof CredentialsError) {
    return { status: 'failure', summary: error.message }
  }
  deps.log.error({ statusId: claim.statusId, attempt: claim.attempt, err: error }, 'deployment failed unexpectedly')
  return { status: 'failure', summary: 'Internal error in this deployment. See the service log for details.' }
}

function toTimeout(limitMs: number): DeploymentOutcome {
  const limit = limitMs >= 60_000 ? `${Math.round(limitMs / 60_000)} minutes` : `${limitMs / 1000} seconds`
  return {
    status: 'failure',
    summary: `The deployment did not finish within ${limit}. Corrigenda stopped tracking it.`,
  }
}
