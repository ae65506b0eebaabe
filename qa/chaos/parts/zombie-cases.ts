import type { RunPoint } from '@corrigenda/worker'

/**
 * The fate of the job while its first worker is paused. For the last one, the successor has claimed
 * the job and continues only afterwards.
 */
export type Scenario = 'completes' | 'fails' | 'is cancelled' | 'is merged' | 'loses its branch' | 'is taken over'

export interface ZombieCase {
  readonly point: RunPoint
  readonly scenario: Scenario
}

const POINTS = ['turn.saved', 'branch.pushing', 'push.recorded', 'pull.opening', 'run.finishing'] as const
const SCENARIOS = ['completes', 'fails', 'is cancelled', 'is merged', 'loses its branch'] as const
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
  ...SCENARIOS.flatMap((scenario) =>
    POINTS.filter((point) => scenario !== 'fails' || point !== 'run.finishing').map((point) => ({ point, scenario })),
  ),
  ...BEFORE_WRITES.map((point) => ({ point, scenario: 'is taken over' as const })),
]

/** Cases that are protected by different guards. */
export const SHORT_ZOMBIE_CASES: readonly ZombieCase[] = [
  { point: 'branch.pushing', scenario: 'is merged' },
  { point: 'branch.pushing', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'is cancelled' },
  { point: 'pull.opening', scenario: 'fails' },
  { point: 'run.finishing', scenario: 'loses its branch' },
  { point: 'model.answered', scenario: 'is taken over' },
]
