import { type Polling, pollUntilStopped, type SweepDeps, sweepRuns } from '@corrigenda/core'

/** Sweeps every `seconds`, one sweep at a time, until stopped. */
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
