import { z } from 'zod'
import type { JobOutcome } from './agent-job.ts'

const count = z.number().int().nonnegative()
const usd = z.number().nonnegative()
const seconds = z.number().nonnegative()

/** Periods of the usage report in days. */
export const USAGE_PERIODS = [30, 90] as const

export const ProjectUsageQuery = z.object({ days: z.coerce.number().pipe(z.literal(USAGE_PERIODS)).default(30) })
export type ProjectUsageQuery = z.infer<typeof ProjectUsageQuery>

/** Jobs by outcome. `active`: the job has not ended. */
const OutcomeCounts = z.object({
  changed: count,
  no_changes: count,
  needs_input: count,
  failed: count,
  cancelled: count,
  active: count,
} satisfies Record<JobOutcome | 'active', typeof count>)

/**
 * A project's jobs that were created in the last `days` days, today included. Days are in UTC. The
 * cost of a job counts on the day of its creation. Response to GET
 * /dashboard/api/projects/{projectId}/usage.
 */
export const ProjectUsage = z.object({
  /** One entry per day, oldest first. */
  days: z.array(OutcomeCounts.extend({ day: z.iso.date(), costUsd: usd })),
  /** Most expensive first. `costUsd` is null if no price is configured for the model. */
  models: z.array(z.object({ model: z.string(), jobs: count, costUsd: usd.nullable() })),
  /** Users and keys that created jobs, most expensive first; at most 50. Name null: unknown. */
  creators: z.array(
    z.object({ kind: z.enum(['user', 'key']), name: z.string().nullable(), jobs: count, costUsd: usd.nullable() }),
  ),
  /** Failure codes, most frequent first. */
  failures: z.array(z.object({ code: z.string(), jobs: count })),
  pullRequests: z.object({
    open: count,
    merged: count,
    closed: count,
    /** Median time from the creation of a job to the merge of its pull request. */
    medianSecondsToMerge: seconds.nullable(),
  }),
  /** Working time per run, without waiting. Null if no run has ended. */
  workSeconds: z.object({ p50: seconds, p95: seconds }).nullable(),
})
export type ProjectUsage = z.infer<typeof ProjectUsage>
