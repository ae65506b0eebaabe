import { isConnectionError, type SweepDeps, sweepRuns } from '@corrigenda/core'

/** Sweeps every `seconds`, one sweep at a time, until stopped. */
export function startSweeper(deps: SweepDeps & { seconds: number }): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  const sweep = async () => {
    try {
      const { queued, ended } = await sweepRuns(deps)
      if (queued + ended > 0) deps.log.debug({ queued, ended }, 'swept')
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n').at(-1) : 'unknown'
      deps.log.warn(
        { database: isConnectionError(error) ? 'away' : 'up', reason },
        'sweep failed; the next one follows',
      )
    }
    if (!stopped) schedule(deps.seconds * 1000)
  }
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      sweeping = sweep()
    }, ms)
  }
  schedule(0)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await sweeping
    },
  }
}
