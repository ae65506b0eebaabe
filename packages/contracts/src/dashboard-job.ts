import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { ListJobsQuery } from './list-jobs.ts'

/** Displayed state of a job, derived from `status`, `phase` and `outcome`. */
export const JobState = z.enum([
  'queued',
  'active',
  'completed',
  'no_changes',
  'needs_input',
  'failed',
  'cancelled',
  'archived',
])
export type JobState = z.infer<typeof JobState>

/**
 * Query parameters of GET /dashboard/api/projects/{projectId}/jobs. `status` is a comma-separated
 * list of states.
 */
export const ListDashboardJobsQuery = z.object({
  status: z
    .string()
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(JobState))
    .optional(),
  q: ListJobsQuery.shape.q,
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
}).extend({
  /** First 300 characters of the first prompt. */
  prompt: z.string(),
  /** Model cost so far; null if no price is configured for the model. */
  costUsd: AgentJob.shape.usage.shape.costUsd,
  /** The user or key that created the job, with its name at that time; null if unknown. */
  createdBy: z.object({ kind: z.enum(['key', 'user']), name: z.string() }).nullable(),
})
export type DashboardJob = z.infer<typeof DashboardJob>

/**
 * A page of jobs, newest first. `counts` is the number of jobs in each state among the project's
 * newest 1,000, regardless of the filter.
 */
export const DashboardJobPage = z.object({
  jobs: z.array(DashboardJob),
  nextCursor: z.string().nullable(),
  counts: z.record(JobState, z.number().int().nonnegative()),
})
export type DashboardJobPage = z.infer<typeof DashboardJobPage>
