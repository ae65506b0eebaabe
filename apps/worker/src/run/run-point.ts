import type { Fence } from '@corrigenda/core/runs'

/**
 * Points of a run between which external state changes, at which crash tests stop the process. They
 * are in the order of a run; the three of the model occur once per turn. "…ing" is directly before
 * the change, "…ed" directly after it.
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

/** Called when a run reaches a point; the run waits for it. */
export type OnPoint = (point: RunPoint, run: Fence) => Promise<void>

export const ignorePoints: OnPoint = async () => {}
