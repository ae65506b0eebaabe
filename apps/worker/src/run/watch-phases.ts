import type { Fence } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import type { OnPoint, RunPoint } from './run-point.ts'

/** Parts of an attempt, as an operator would time them. */
type TimedPhase = 'preparing' | 'editing' | 'publishing'

/** The phase that starts at a point. Null: the attempt ends. */
const STARTS: Partial<Record<RunPoint, TimedPhase | null>> = {
  'run.claimed': 'preparing',
  'checkout.opened': 'editing',
  'run.freezing': 'publishing',
  // An attempt that repeats the publish phase has no freezing point.
  'branch.pushing': 'publishing',
  'run.finished': null,
}

interface PhaseWatch {
  /** Called at the end of each phase of an attempt, in seconds. Not called if the lease is lost. */
  onPhase?(phase: TimedPhase, seconds: number): void
}

/**
 * Returns a function that writes one line to the log for each phase of each attempt, and then calls
 * `next`.
 */
export function watchPhases({ log }: { log: Log }, next: OnPoint, { onPhase }: PhaseWatch = {}): OnPoint {
  const current = new Map<string, { attempt: number; phase: TimedPhase; startedAt: number }>()

  const move = ({ runId, jobId, attempt }: Fence, phase: TimedPhase | null): void => {
    const now = performance.now()
    const before = current.get(runId)
    if (before?.attempt === attempt) {
      if (before.phase === phase) return
      const ms = Math.round(now - before.startedAt)
      log.info({ runId, jobId, attempt, phase: before.phase, ms }, 'run phase ended')
      onPhase?.(before.phase, ms / 1000)
    }
    if (phase === null) current.delete(runId)
    else current.set(runId, { attempt, phase, startedAt: now })
  }

  return (point, run) => {
    const phase = STARTS[point]
    if (phase !== undefined) move(run, phase)
    return next(point, run)
  }
}
