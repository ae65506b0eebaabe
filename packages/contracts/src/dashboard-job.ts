import { z } from 'zod'
import { AgentJob } from './agent-job.ts'
import { ListJobsQuery } from './list-jobs.ts'

/** What people call the state of a job: `status`, `phase` and `outcome` together. */
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

/** Query of GET /dashboard/api/projects/{projectId}/jobs. `status` holds one or more states, separated by commas. */
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

/** A job as the list shows it. */
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
  /** What the model cost so far; null when no price is known. */
  costUsd: AgentJob.shape.usage.shape.costUsd,
  /** Who asked for it, by the name that they or the key had then; null: nobody knows any more. */
  createdBy: z.object({ kind: z.enum(['key', 'person']), name: z.string() }).nullable(),
})
export type DashboardJob = z.infer<typeof DashboardJob>

/** Newest first. `counts`: jobs of each state among the newest 1,000 of the project, whatever the filter. */
export const DashboardJobPage = z.object({
  jobs: z.array(DashboardJob),
  nextCursor: z.string().nullable(),
  counts: z.record(JobState, z.number().int().nonnegative()),
})
export type DashboardJobPage = z.infer<typeof DashboardJobPage>
