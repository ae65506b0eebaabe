import type { MeasuredAttempt, MeasuredTask, Results } from './results.ts'
import { sumCost } from './results.ts'
import { type Interval, toWilson } from './statistics.ts'

export interface TaskScore {
  readonly task: MeasuredTask
  readonly attempts: readonly MeasuredAttempt[]
  /** Share of attempts that passed. */
  readonly rate: number
}

/** Statistics for a set of tasks. */
export interface Summary {
  readonly name: string
  readonly tasks: number
  readonly attempts: number
  /** Share of passed attempts, averaged over the tasks. */
  readonly rate: number
  /**
   * Wilson's interval with one trial per task, because attempts at the same task are not
   * independent trials.
   */
  readonly interval: Interval
  /** Number of tasks with only passed attempts. */
  readonly always: number
  /** Number of tasks with at least one passed attempt. */
  readonly ever: number
  readonly unmeasured: number
  readonly costUsd: number | null
  /** Means per attempt. */
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly seconds: number
}

/** Returns the tasks with their measured attempts. Omits tasks without measured attempts. */
export function scoreTasks({ tasks, attempts }: Pick<Results, 'tasks' | 'attempts'>): TaskScore[] {
  return tasks.flatMap((task) => {
    const own = attempts.filter((one) => one.task === task.id && one.verdict !== 'unmeasured')
    const passed = own.filter(({ verdict }) => verdict === 'passed').length
    return own.length === 0 ? [] : [{ task, attempts: own, rate: passed / own.length }]
  })
}

/** Returns a summary of all tasks, then one for each split and family. */
export function summarize(results: Results): Summary[] {
  const scores = scoreTasks(results)
  const unmeasured = (of: (task: MeasuredTask) => boolean) => {
    const ids = new Set(results.tasks.filter(of).map(({ id }) => id))
    return results.attempts.filter((one) => one.verdict === 'unmeasured' && ids.has(one.task)).length
  }
  const build = (name: string, of: (task: MeasuredTask) => boolean) =>
    toSummary(
      name,
      scores.filter(({ task }) => of(task)),
      unmeasured(of),
    )
  const families = [...new Set(results.tasks.map(({ family }) => family))]
  const splits = [...new Set(results.tasks.map(({ split }) => split))].sort().reverse()
  return [
    build('all', () => true),
    ...splits.map((name) => build(name, ({ split }) => split === name)),
    ...families.map((name) => build(name, ({ family }) => family === name)),
  ]
}

function toSummary(name: string, scores: readonly TaskScore[], unmeasured: number): Summary {
  const attempts = scores.flatMap((score) => score.attempts)
  const rate = mean(scores.map((score) => score.rate))
  const { length } = scores
  const per = (toStatistic: (attempt: MeasuredAttempt) => number) => mean(attempts.map(toStatistic))
  return {
    name,
    rate,
    unmeasured,
    tasks: length,
    attempts: attempts.length,
    interval: toWilson(rate, length),
    always: scores.filter((score) => score.rate === 1).length,
    ever: scores.filter((score) => score.rate > 0).length,
    costUsd: sumCost(attempts),
    turns: per(({ usage }) => usage.turns),
    inputTokens: per(({ usage }) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens),
    outputTokens: per(({ usage }) => usage.outputTokens),
    seconds: per(({ seconds }) => seconds),
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
