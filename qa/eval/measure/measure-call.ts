import type { TaskChoice } from '../task/task-choice.ts'

export interface MeasureCall {
  readonly do: 'measure'
  readonly choice: TaskChoice
  readonly cacheDir: string | null
  readonly model: string | null
  readonly repeat: number
  readonly concurrency: number
  /** In US dollars. Null for no limit. */
  readonly maxCostUsd: number | null
  readonly maxCostPerAttemptUsd: number | null
  readonly json: string | null
  readonly resume: string | null
  readonly report: string | null
}
