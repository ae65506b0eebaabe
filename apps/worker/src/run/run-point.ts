import type { Fence } from '@corrigenda/core/runs'

/**
 * The places in a run between which something outside changes: what a crash test dies at. In the order of a run; the three of the model come once
 * per turn. "…ing" is directly before, "…ed" directly after.
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

/** Told when a run reaches a point; the run waits for it. */
export type OnPoint = (point: RunPoint, run: Fence) => Promise<void>

export const ignorePoints: OnPoint = async () => {}
