import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { type SweepDeps, sweepRuns } from '@corrigenda/core/runs'

/** Share of the sweeps that run while no run is active. They only delete expired rows. */
const IDLE_SHARE = 1 / 12

export interface SweeperOptions {
  /** Interval between two sweeps. */
  readonly seconds: number
  /** False if no run can need a sweep. */
  readonly hasRuns: () => boolean
}

/** Sweeps at an interval of `seconds`, one sweep at a time, until stopped. */
export function startSweeper(deps: SweepDeps & SweeperOptions): Polling {
  let due = 1
  return pollUntilStopped(deps, {
    name: 'sweep',
    everyMs: deps.seconds * 1000,
    async poll() {
      due += deps.hasRuns() ? 1 : IDLE_SHARE
      if (due < 1) return
      due = 0
      const { woken, ended } = await sweepRuns(deps)
      if (woken + ended > 0) deps.log.debug({ woken, ended }, 'swept')
    },
  })
}
