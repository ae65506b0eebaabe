import { z } from 'zod'
import { AgentJob, JobOutcome, JobStatus } from './agent-job.ts'

/** Restricts a text to what Postgres can store. */
export const toStorableText = (text: z.ZodString): z.ZodString =>
  text.refine((given) => given.isWellFormed() && !given.includes('\u0000'), {
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
  q: toStorableText(z.string().min(1).max(200)).optional(),
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
