import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { type SweepDeps, sweepRuns } from '@corrigenda/core/runs'

interface SweeperOptions {
  /** Interval between two sweeps. */
  readonly seconds: number
  /** False if no run can need a sweep. */
  readonly hasRuns: () => boolean
}

/** Sweeps at an interval of `seconds` while there are runs, one sweep at a time, until stopped. */
export function startSweeper(deps: SweepDeps & SweeperOptions): Polling {
  return pollUntilStopped(deps, {
    name: 'sweep',
    everyMs: deps.seconds * 1000,
    async poll() {
      if (!deps.hasRuns()) return
      const { woken, ended } = await sweepRuns(deps)
      if (woken + ended > 0) deps.log.debug({ woken, ended }, 'swept')
    },
  })
}
