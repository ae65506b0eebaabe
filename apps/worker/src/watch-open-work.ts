import { type Polling, pollUntilStopped } from '@corrigenda/core/leases'
import { type SweepDeps, sweepRuns } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import { findOpenWork, type OpenWork } from '@corrigenda/core/workers'

type Prisma = Parameters<typeof findOpenWork>[0]['prisma']

/** Loops that claim the rows of one kind. */
type ClaimLoops = Readonly<Record<Exclude<keyof OpenWork, 'runs'>, Pick<Polling, 'wake'>>>

interface OpenWorkWatch extends Polling {
  /** True if a run was active when the database was last read, or if that is unknown. */
  hasRuns(): boolean
}

/**
 * Reads every `seconds` which kinds of work are open, and wakes the loops that claim them. An idle
 * worker sends one statement instead of one or more for each loop.
 */
export function watchOpenWork(
  deps: { readonly prisma: Prisma; readonly log: Log; readonly seconds: number },
  loops: ClaimLoops,
): OpenWorkWatch {
  let hasRuns = true
  const polling = pollUntilStopped(deps, {
    name: 'open work',
    everyMs: deps.seconds * 1000,
    async poll() {
      const { runs, ...work } = await findOpenWork(deps).catch((error: unknown) => {
        hasRuns = true
        throw error
      })
      hasRuns = runs
      for (const kind of Object.keys(work) as (keyof ClaimLoops)[]) if (work[kind]) loops[kind].wake()
    },
  })
  return { ...polling, hasRuns: () => hasRuns }
}

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
