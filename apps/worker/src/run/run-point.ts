import type { Fence } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'

/** The phase that starts at a point. Null: the attempt ends. */
const STARTS: Partial<Record<RunPoint, TimedPhase | null>> = {
  'run.claimed': 'preparing',
  'checkout.opened': 'editing',
  'run.freezing': 'publishing',
  // An attempt that repeats the publish phase has no freezing point.
  'branch.pushing': 'publishing',
  'run.finished': null,
}

/**
 * Points in a run at which crash tests stop the process, in order of occurrence. External state
 * changes between them. The `model.*` points and `turn.saved` occur once per turn. A name ending in
 * "ing" marks the point immediately before a change, and a name ending in "ed" the point
 * immediately after it.
 */
export const RUN_POINTS = [
  'run.claimed',
  'checkout.opened',
  'run.started',
  'model.calling',
  'model.answered',
  'turn.saved',
  'run.freezing',
  'run.frozen',
  'branch.pushing',
  'branch.pushed',
  'push.recorded',
  'pull.opening',
  'pull.opened',
  'run.finishing',
  'run.finished',
] as const
export type RunPoint = (typeof RUN_POINTS)[number]

/** Called when a run reaches a {@link RunPoint}. The run waits for the returned promise. */
export type OnPoint = (point: RunPoint, run: Fence) => Promise<void>

export const ignorePoints: OnPoint = async () => {}

/** Parts of an attempt, as an operator would time them. */
type TimedPhase = 'preparing' | 'editing' | 'publishing'

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
