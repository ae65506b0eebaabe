import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { ATTENTION_STATES, JOB_STATES } from './job-state.ts'
import { ListJobsQuery, toStorableText } from './list-jobs.ts'

/**
 * Query parameters of GET /dashboard/api/projects/{projectId}/jobs. `status` is a comma-separated
 * list of states. Times are exclusive bounds on `createdAt`.
 */
export const ListDashboardJobsQuery = z.object({
  status: z
    .string()
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(JOB_STATES)))
    .optional(),
  q: ListJobsQuery.shape.q,
  /** Id of the user or API key that created the job. */
  author: toStorableText(z.string().max(100)).optional(),
  model: toStorableText(z.string().max(200)).optional(),
  /** Failure code. */
  failure: toStorableText(z.string().max(100)).optional(),
  createdAfter: ListJobsQuery.shape.createdAfter,
  createdBefore: ListJobsQuery.shape.createdBefore,
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: ListJobsQuery.shape.cursor,
})
export type ListDashboardJobsQuery = z.infer<typeof ListDashboardJobsQuery>

/** A job in the dashboard's job list. */
export const DashboardJob = AgentJob.pick({
  id: true,
  status: true,
  phase: true,
  outcome: true,
  failure: true,
  title: true,
  model: true,
  pullRequest: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  workedMs: true,
  workingSince: true,
}).extend({
  /** First 300 characters of the first prompt. */
  prompt: z.string(),
  /** Model cost so far; null if no price is configured for the model. */
  costUsd: AgentJob.shape.usage.shape.costUsd,
  /** The user or key that created the job, with its name at that time; null if unknown. */
  createdBy: z.object({ kind: z.enum(['key', 'user']), name: z.string() }).nullable(),
})
export type DashboardJob = z.infer<typeof DashboardJob>

/** A page of jobs, newest first. Only the first page has `counts`. */
export const DashboardJobPage = z.object({
  jobs: z.array(DashboardJob),
  nextCursor: z.string().nullable(),
  /** Number of jobs in each state that match the filter, regardless of its `status`. */
  counts: z.record(z.enum(JOB_STATES), z.number().int().nonnegative()).nullable(),
  /** False if older jobs were not counted, so that `counts` are lower bounds. */
  isCountExact: z.boolean(),
})
export type DashboardJobPage = z.infer<typeof DashboardJobPage>

/** The values that the filters of a project's job list can have, most frequent first. */
export const JobFilterOptions = z.object({
  authors: z.array(z.object({ id: z.string(), kind: z.enum(['key', 'user']), name: z.string() })),
  models: z.array(z.string()),
  /** Failure codes. */
  failures: z.array(z.string()),
})
export type JobFilterOptions = z.infer<typeof JobFilterOptions>

/** Number of a project's jobs in each state that waits for a person. At most 100 each. */
export const JobsNeedingAttention = z.record(z.enum(ATTENTION_STATES), z.number().int().nonnegative())
export type JobsNeedingAttention = z.infer<typeof JobsNeedingAttention>
