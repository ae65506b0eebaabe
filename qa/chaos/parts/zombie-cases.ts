import type { RunPoint } from '@corrigenda/worker'

/** What happens to the job while its first worker stands still. The last one: its successor has claimed it and goes on only afterwards. */
export type Fate = 'completes' | 'fails' | 'is cancelled' | 'is merged' | 'loses its branch' | 'is taken over'

export interface ZombieCase {
  readonly point: RunPoint
  readonly fate: Fate
}

const POINTS = ['turn.saved', 'branch.pushing', 'push.recorded', 'pull.opening', 'run.finishing'] as const
const FATES = ['completes', 'fails', 'is cancelled', 'is merged', 'loses its branch'] as const
/** Directly before a write to the database or to the Git host. */
const BEFORE_WRITES = [
  'model.answered',
  'run.freezing',
  'branch.pushing',
  'branch.pushed',
  'pull.opening',
  'run.finishing',
] as const

/** Every point with every fate, but for one: once the pull request is open, nothing makes its job fail. */
export const ZOMBIE_CASES: readonly ZombieCase[] = [
  ...FATES.flatMap((fate) =>
    POINTS.filter((point) => fate !== 'fails' || point !== 'run.finishing').map((point) => ({ point, fate })),
  ),
  ...BEFORE_WRITES.map((point) => ({ point, fate: 'is taken over' as const })),
]

/** Those whose guards are all different. */
export const SHORT_ZOMBIE_CASES: readonly ZombieCase[] = [
  { point: 'branch.pushing', fate: 'is merged' },
  { point: 'branch.pushing', fate: 'is cancelled' },
  { point: 'pull.opening', fate: 'is cancelled' },
  { point: 'pull.opening', fate: 'fails' },
  { point: 'run.finishing', fate: 'loses its branch' },
  { point: 'model.answered', fate: 'is taken over' },
]
