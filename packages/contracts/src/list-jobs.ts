import { z } from 'zod'
import { AgentJob, JobOutcome, JobStatus } from './agent-job.ts'

/** A text that Postgres can store. */
export const StoredText = z.string().refine((text) => text.isWellFormed() && !text.includes('\u0000'), {
  message: 'must be well-formed Unicode without NUL characters',
})
const time = z.iso.datetime({ offset: true, message: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' })

/**
 * Query parameters of GET /v2/agent/{projectId}/jobs. Times are exclusive bounds on `createdAt`.
 */
export const ListJobsQuery = z.object({
  status: JobStatus.optional(),
  outcome: JobOutcome.optional(),
  /** Text to find in prompts, titles and summaries, ignoring case. */
  q: StoredText.min(1).max(200).optional(),
  createdAfter: time.optional(),
  createdBefore: time.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(200).optional(),
})
export type ListJobsQuery = z.infer<typeof ListJobsQuery>

/**
 * A page of jobs, newest first. `nextCursor` is null on the last page. New jobs do not shift the
 * pages.
 */
export const JobPage = z.object({ jobs: z.array(AgentJob), nextCursor: z.string().nullable() })
export type JobPage = z.infer<typeof JobPage>
