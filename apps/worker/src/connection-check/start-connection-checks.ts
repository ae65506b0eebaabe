import type { RepositoryTestStep } from '@corrigenda/contracts'
import { LostLeaseError } from '@corrigenda/core/base'
import {
  type CheckProgress,
  type ConnectionCheckClaim,
  claimConnectionCheck,
  MAX_CHECK_ATTEMPTS,
  recordConnectionCheck,
  releaseConnectionCheck,
} from '@corrigenda/core/connection-checks'
import type { SealingKey } from '@corrigenda/core/instance'
import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { forProject, type RepositoryWorkDeps } from '../git-host/git-access.ts'
import { checkConnection, listSteps } from './check-connection.ts'

interface ConnectionChecksDeps extends RepositoryWorkDeps {
  /** Name of this process in leases. */
  readonly owner: string
  /** Aborts when the process shuts down. */
  readonly shutdown: AbortSignal
  readonly deployTargetKey: SealingKey
}

/** Maximum duration of a check, however slowly the Git host responds. */
const LIMIT_MS = 60_000
/** Slightly longer than the longest check. LEASE_SECONDS applies only to runs and deployments. */
const CHECK_LEASE_SECONDS = LIMIT_MS / 1000 + 15

/**
 * Polls for connection checks and runs them one at a time. The interval, `seconds`, is short
 * because users wait for the result.
 */
export function startConnectionChecks(deps: ConnectionChecksDeps & { seconds: number }): Polling {
  return pollUntilStopped(deps, {
    name: 'connection checks',
    everyMs: deps.seconds * 1000,
    shutdown: deps.shutdown,
    async poll() {
      const claim = await claimConnectionCheck(deps, { owner: deps.owner, leaseSeconds: CHECK_LEASE_SECONDS })
      return claim === null ? [] : [carryOut(deps, claim)]
    },
  })
}

/** @throws database errors */
async function carryOut(deps: ConnectionChecksDeps, claim: ConnectionCheckClaim): Promise<void> {
  const { checkId, projectId, attempt } = claim
  const timeout = AbortSignal.timeout(LIMIT_MS)
  const signal = AbortSignal.any([deps.shutdown, timeout])
  let last: CheckProgress = { steps: [], missing: [], ok: null }
  const report = (progress: CheckProgress) => {
    last = progress
    return recordConnectionCheck(deps, claim, progress)
  }
  try {
    // In every attempt, the worker stopped before the check finished.
    if (attempt > MAX_CHECK_ATTEMPTS) {
      return await recordConnectionCheck(deps, claim, { ...last, steps: [toUnfinished(claim, last)], ok: false })
    }
    const { ok } = await checkConnection(forProject(deps, projectId), claim, { report, signal })
    deps.log.info({ checkId, projectId, ok }, 'connection check finished')
  } catch (error) {
    if (error instanceof LostLeaseError)
      return deps.log.warn({ checkId, attempt }, 'connection check lease lost; nothing written')
    if (deps.shutdown.aborted) return await releaseConnectionCheck(deps, claim)
    if (!timeout.aborted) throw error
    deps.log.warn({ checkId, projectId }, 'connection check timed out')
    await recordConnectionCheck(deps, claim, { ...last, steps: [...last.steps, toUnfinished(claim, last)], ok: false })
  }
}

/** Returns a failed result for the step that was running when the check stopped. */
function toUnfinished(claim: ConnectionCheckClaim, { steps }: CheckProgress): RepositoryTestStep {
  const { name, source } = listSteps(claim)[steps.length] ?? { name: 'host_allowed' as const }
  const message = 'The Git host did not respond in time. Try again later.'
  return { name, ...(source === undefined ? {} : { source }), status: 'failed', message }
}
