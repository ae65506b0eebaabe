import type { Fence } from '@corrigenda/core/runs'

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
