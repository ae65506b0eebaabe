import { claimDeployment, forgetDeployments } from '@corrigenda/core/deployments'
import { type Polling, pollUntilStopped, readClocks } from '@corrigenda/core/leases'
import type { DeployDeps } from './deploy-deps.ts'
import { workOnDeployment } from './work-on-deployment.ts'

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
    ...{ name: 'deployments', everyMs: seconds * 1000, slots, shutdown },
    async poll() {
      const claimedAt = readClocks()
      const claim = await claimDeployment(deps, deps)
      return claim === null ? [] : [workOnDeployment(deps, claim, claimedAt)]
    },
  })
  const cleanUp = pollUntilStopped(
    { log },
    {
      ...{ name: 'old deployments', everyMs: CLEAN_UP_MS, shutdown },
      poll: async () => void (await forgetDeployments(deps)),
    },
  )
  return {
    wake: deployments.wake,
    stop: async () => void (await Promise.all([deployments.stop(), cleanUp.stop()])),
  }
}
