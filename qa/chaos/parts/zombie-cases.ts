import type { RunPoint } from '@corrigenda/worker'

/**
 * Event that affects the job while its first worker is paused. With `is taken over`, the successor
 * has claimed the job and is paused until the first worker has resumed.
 */
export type Scenario = 'completes' | 'fails' | 'is cancelled' | 'is merged' | 'loses its branch' | 'is taken over'

export interface ZombieCase {
  readonly point: RunPoint
  readonly scenario: Scenario
}

const POINTS = ['turn.saved', 'branch.pushing', 'push.recorded', 'pull.opening', 'run.finishing'] as const
const SCENARIOS = ['completes', 'fails', 'is cancelled', 'is merged', 'loses its branch'] as const
/** Points immediately before a write to the database or to the Git host. */
const BEFORE_WRITES = [
  'model.answered',
  'run.freezing',
  'branch.pushing',
  'branch.pushed',
  'pull.opening',
  'run.finishing',
] as const

/** Every point with every scenario, except that a job with an open pull request cannot fail. */
export const ZOMBIE_CASES: readonly ZombieCase[] = [
  ...SCENARIOS.flatMap((scenario) =>
    POINTS.filter((point) => scenario !== 'fails' || point !== 'run.finishing').map((point) => ({ point, scenario })),
  ),
  ...BEFORE_WRITES.map((point) => ({ point, scenario: 'is taken over' as const })),
]

/** Cases that exercise different guards. */
export const SHORT_ZOMBIE_CASES: readonly ZombieCase[] = [
  { point: 'branch.pushing', scenario: 'is merged' },
  { point: 'branch.pushing', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'fails' },
  { point: 'run.finishing', scenario: 'loses its branch' },
  { point: 'model.answered', scenario: 'is taken over' },
]
