import { claimDeployment, forgetDeployments, isConnectionError } from '@corrigenda/core'
import type { DeployDeps } from './deploy-deps.ts'
import { readClocks } from './hold-deployment.ts'
import { workOnDeployment } from './work-on-deployment.ts'

/** Deployments that one process works on at the same time: they mostly wait for others. */
const MAX_WORKING = 20

/** Between two looks for what is too old to keep. */
const TIDY_MS = 600_000

export interface Deployer {
  /** Takes nothing new and waits for what is under way; `shutdown` of the deps makes that quick. */
  stop(): Promise<void>
}

/** Looks for deployments every `seconds`, and at once when one has ended: the next of its project may start. */
export function startDeployer(deps: DeployDeps & { seconds: number }): Deployer {
  const working = new Set<Promise<void>>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let isAsked = false
  let tidyAt = 0

  const look = async () => {
    try {
      while (!stopped && working.size < MAX_WORKING) {
        const claimedAt = readClocks()
        const claim = await claimDeployment(deps, deps)
        if (!claim) break
        const work = workOnDeployment(deps, claim, claimedAt).then(() => {
          working.delete(work)
          isAsked = true
          schedule(0)
        })
        working.add(work)
      }
      if (!stopped && performance.now() >= tidyAt) {
        tidyAt = performance.now() + TIDY_MS
        await forgetDeployments(deps)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n').at(-1) : 'unknown'
      deps.log.warn(
        { database: isConnectionError(error) ? 'away' : 'up', reason },
        'could not look for deployments; trying again',
      )
    }
  }
  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      isAsked = false
      looking ??= look().finally(() => {
        looking = null
        schedule(isAsked ? 0 : deps.seconds * 1000)
      })
    }, ms)
  }
  schedule(0)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
      await Promise.all(working)
    },
  }
}
