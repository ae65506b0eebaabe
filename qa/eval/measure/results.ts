import { Usage } from '@corrigenda/contracts'
import { z } from 'zod'
import { OUTCOMES } from '../task/outcome.ts'
import { FAMILIES } from '../task/task.ts'

export const MeasuredTask = z.object({
  id: z.string(),
  /**
   * Hash of all data that determines an attempt's grade, such as the repository, the prompt, the
   * policy and the graders.
   */
  hash: z.string(),
  family: z.enum(FAMILIES),
  split: z.enum(['train', 'held-out']),
})
export type MeasuredTask = z.infer<typeof MeasuredTask>

export const MeasuredAttempt = z.object({
  task: z.string(),
  /** 1 for the first attempt at a task. */
  repeat: z.number().int().min(1),
  /**
   * `unmeasured` if the model or the repository was unavailable. The attempt then counts as neither
   * passed nor failed.
   */
  verdict: z.enum(['passed', 'failed', 'unmeasured']),
  outcome: z.enum([...OUTCOMES, 'stopped', 'none']),
  /** The reason for `stopped` or `unmeasured`. */
  code: z.string().nullable(),
  /** The graders' reasons. */
  reasons: z.array(z.string()),
  usage: Usage,
  seconds: z.number(),
  refusedCalls: z.number().int(),
  /** The change as a diff. Stored only for failures. */
  diff: z.string(),
  /** The model's final text. */
  said: z.string(),
})
export type MeasuredAttempt = z.infer<typeof MeasuredAttempt>

/** A results file. */
export const Results = z.object({
  version: z.literal(1),
  model: z.string(),
  /** Version of the measured prompts and tools. */
  harness: z.string(),
  startedAt: z.string(),
  repeat: z.number().int().min(1),
  tasks: z.array(MeasuredTask),
  attempts: z.array(MeasuredAttempt),
  /** Reason for an incomplete measurement. Null if complete. */
  stopped: z.string().nullable(),
})
export type Results = z.infer<typeof Results>

/** Returns the cost of all attempts in US dollars, or null if any cost is unknown. */
export function sumCost(attempts: readonly MeasuredAttempt[]): number | null {
  return attempts.reduce<number | null>(
    (sum, { usage }) => (sum === null || usage.costUsd === null ? null : sum + usage.costUsd),
    0,
  )
}
