import { rename, writeFile } from 'node:fs/promises'
import { Usage } from '@corrigenda/contracts'
import { z } from 'zod'
import { readYaml } from '../../read-yaml.ts'
import { OUTCOMES } from '../grade/graders.ts'
import { SPLITS } from '../task/sites.ts'

const MeasuredTask = z.object({
  id: z.string(),
  /** Hash of all data that determines an attempt's grade, such as the prompt and the graders. */
  hash: z.string(),
  family: z.string(),
  split: z.enum(SPLITS),
})
type MeasuredTask = z.infer<typeof MeasuredTask>

const MeasuredAttempt = z.object({
  task: z.string(),
  /** 1 for the first attempt at a task. */
  repeat: z.int().min(1),
  /** `unmeasured` if the model or the repository was unavailable: neither passed nor failed. */
  verdict: z.enum(['passed', 'failed', 'unmeasured']),
  outcome: z.enum([...OUTCOMES, 'stopped', 'none']),
  /** The reason for `stopped` or `unmeasured`. */
  code: z.string().nullable(),
  /** The graders' reasons. */
  reasons: z.array(z.string()),
  usage: Usage,
  seconds: z.number(),
  refusedCalls: z.int(),
  /** The change as a diff. Stored only for failures. */
  diff: z.string(),
  /** The model's final text. */
  said: z.string(),
})
export type MeasuredAttempt = z.infer<typeof MeasuredAttempt>

/** A results file. */
const Results = z.object({
  version: z.literal(1),
  model: z.string(),
  /** Version of the measured prompts and tools. */
  harness: z.string(),
  startedAt: z.string(),
  repeat: z.int().min(1),
  tasks: z.array(MeasuredTask),
  attempts: z.array(MeasuredAttempt),
  /** Reason for an incomplete measurement. Null if complete. */
  stopped: z.string().nullable(),
})
export type Results = z.infer<typeof Results>

/** @throws CallError if the file contains no results */
export const readResults = (file: string): Results => readYaml(file, Results)

/** Writes atomically, so that the file is complete even if the process is interrupted. */
export async function saveResults(file: string, results: Results): Promise<void> {
  await writeFile(`${file}.part`, `${JSON.stringify(results, null, 1)}\n`)
  await rename(`${file}.part`, file)
}

interface TaskScore {
  readonly task: MeasuredTask
  readonly attempts: readonly MeasuredAttempt[]
  /** Share of attempts that passed. */
  readonly rate: number
}

/** Returns the tasks with their measured attempts. Omits tasks without measured attempts. */
export function scoreTasks({ tasks, attempts }: Pick<Results, 'tasks' | 'attempts'>): TaskScore[] {
  return tasks.flatMap((task) => {
    const own = attempts.filter((one) => one.task === task.id && one.verdict !== 'unmeasured')
    const passed = own.filter(({ verdict }) => verdict === 'passed').length
    return own.length === 0 ? [] : [{ task, attempts: own, rate: passed / own.length }]
  })
}

export const toMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Returns the cost of all attempts in US dollars, or null if any cost is unknown. */
export function sumCost(attempts: readonly MeasuredAttempt[]): number | null {
  const costs = attempts.map(({ usage }) => usage.costUsd)
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
}
