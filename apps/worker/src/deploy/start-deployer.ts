import { claimDeployment, forgetDeployments } from '@corrigenda/core/deployments'
import { type Polling, pollUntilStopped, readClocks } from '@corrigenda/core/leases'
import type { DeployDeps } from './deploy-deps.ts'
import { workOnDeployment } from './work-on-deployment.ts'

/**
 * Maximum number of deployments that one process works on concurrently. They mostly wait for other
 * services.
 */
const SLOTS = 20
/** Interval between two clean-ups of old deployments. */
const CLEAN_UP_MS = 600_000

/**
 * Works on deployments, polling every `seconds` and after each one that ends, because the next
 * deployment of its project may then start.
 */
export function startDeployer(deps: DeployDeps & { seconds: number }): Polling {
  const { log, shutdown } = deps
  const loops = [
    pollUntilStopped(deps, {
      ...{ name: 'deployments', everyMs: deps.seconds * 1000, slots: SLOTS, shutdown },
      async poll() {
        const claimedAt = readClocks()
        const claim = await claimDeployment(deps, deps)
        return claim === null ? [] : [workOnDeployment(deps, claim, claimedAt)]
      },
    }),
    pollUntilStopped(
      { log },
      {
        ...{ name: 'old deployments', everyMs: CLEAN_UP_MS, shutdown },
        poll: async () => void (await forgetDeployments(deps)),
      },
    ),
  ]
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}
