import { Usage } from '@corrigenda/contracts'
import { z } from 'zod'
import { OUTCOMES } from '../task/outcome.ts'
import { FAMILIES } from '../task/task.ts'

export const MeasuredTask = z.object({
  id: z.string(),
  /** Of everything that decides what passes: repository, prompt, policy, graders, gold. */
  hash: z.string(),
  family: z.enum(FAMILIES),
  split: z.enum(['train', 'held-out']),
})
export type MeasuredTask = z.infer<typeof MeasuredTask>

export const MeasuredAttempt = z.object({
  task: z.string(),
  /** 1 for the first attempt at a task. */
  repeat: z.number().int().min(1),
  /** `unmeasured`: the model could not be reached or the repository not be had, which says nothing about the task. */
  verdict: z.enum(['passed', 'failed', 'unmeasured']),
  outcome: z.enum([...OUTCOMES, 'stopped', 'none']),
  /** Why it was stopped, or why it is unmeasured. */
  code: z.string().nullable(),
  /** What graders missed. */
  reasons: z.array(z.string()),
  usage: Usage,
  seconds: z.number(),
  refusedCalls: z.number().int(),
  /** The change; kept for failures. */
  diff: z.string(),
  /** What the model said, in the end. */
  said: z.string(),
})
export type MeasuredAttempt = z.infer<typeof MeasuredAttempt>

/** A file of results. */
export const Results = z.object({
  version: z.literal(1),
  model: z.string(),
  /** Version of prompts and tools that was measured. */
  harness: z.string(),
  startedAt: z.string(),
  repeat: z.number().int().min(1),
  tasks: z.array(MeasuredTask),
  attempts: z.array(MeasuredAttempt),
  /** Why not all was measured; null when it was. */
  stopped: z.string().nullable(),
})
export type Results = z.infer<typeof Results>

/** US dollars of all attempts; null when any has no price. */
export function sumCost(attempts: readonly MeasuredAttempt[]): number | null {
  return attempts.reduce<number | null>(
    (sum, { usage }) => (sum === null || usage.costUsd === null ? null : sum + usage.costUsd),
    0,
  )
}
