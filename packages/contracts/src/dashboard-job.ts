import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { ListJobsQuery } from './list-jobs.ts'

/** State of a job for display: `status`, `phase` and `outcome` combined. */
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
 * Query of GET /dashboard/api/projects/{projectId}/jobs. `status` contains one or more states,
 * separated by commas.
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

/** A job in the list. */
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
  /** Beginning of the first prompt, at most 300 characters. */
  prompt: z.string(),
  /** Cost of the model so far; null when no price is configured. */
  costUsd: AgentJob.shape.usage.shape.costUsd,
  /**
   * Creator of the job, with the name that the user or the key had at that time; null when unknown.
   */
  createdBy: z.object({ kind: z.enum(['key', 'user']), name: z.string() }).nullable(),
})
export type DashboardJob = z.infer<typeof DashboardJob>

/**
 * Page of jobs, newest first. `counts`: number of jobs per state among the newest 1,000 of the
 * project, independent of the filter.
 */
export const DashboardJobPage = z.object({
  jobs: z.array(DashboardJob),
  nextCursor: z.string().nullable(),
  counts: z.record(JobState, z.number().int().nonnegative()),
})
export type DashboardJobPage = z.infer<typeof DashboardJobPage>
