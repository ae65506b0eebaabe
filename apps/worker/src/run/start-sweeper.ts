import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { type SweepDeps, sweepRuns } from '@corrigenda/core/runs'

/** Sweeps at an interval of `seconds`, one sweep at a time, until stopped. */
export function startSweeper(deps: SweepDeps & { seconds: number }): Polling {
  return pollUntilStopped(deps, {
    name: 'sweep',
    everyMs: deps.seconds * 1000,
    async poll() {
      const { woken, ended } = await sweepRuns(deps)
      if (woken + ended > 0) deps.log.debug({ woken, ended }, 'swept')
    },
  })
}
