import type { RunPoint } from '@corrigenda/worker'

/**
 * The fate of the job while its first worker is paused. For the last one, the successor has claimed
 * the job and continues only afterwards.
 */
export type Fate = 'completes' | 'fails' | 'is cancelled' | 'is merged' | 'loses its branch' | 'is taken over'

export interface ZombieCase {
  readonly point: RunPoint
  readonly fate: Fate
}

const POINTS = ['turn.saved', 'branch.pushing', 'push.recorded', 'pull.opening', 'run.finishing'] as const
const FATES = ['completes', 'fails', 'is cancelled', 'is merged', 'loses its branch'] as const
/** Points directly before a write to the database or to the Git host. */
const BEFORE_WRITES = [
  'model.answered',
  'run.freezing',
  'branch.pushing',
  'branch.pushed',
  'pull.opening',
  'run.finishing',
] as const

/** Every point with every fate, except one: an open pull request cannot make its job fail. */
export const ZOMBIE_CASES: readonly ZombieCase[] = [
  ...FATES.flatMap((fate) =>
    POINTS.filter((point) => fate !== 'fails' || point !== 'run.finishing').map((point) => ({ point, fate })),
  ),
  ...BEFORE_WRITES.map((point) => ({ point, fate: 'is taken over' as const })),
]

/** Cases that are protected by different guards. */
export const SHORT_ZOMBIE_CASES: readonly ZombieCase[] = [
  { point: 'branch.pushing', fate: 'is merged' },
  { point: 'branch.pushing', fate: 'is cancelled' },
  { point: 'pull.opening', fate: 'is cancelled' },
  { point: 'pull.opening', fate: 'fails' },
  { point: 'run.finishing', fate: 'loses its branch' },
  { point: 'model.answered', fate: 'is taken over' },
]
