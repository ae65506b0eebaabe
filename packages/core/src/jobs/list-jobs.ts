import type { JobPage, ListJobsQuery } from '@corrigenda/contracts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { type FindJobsDeps, findJobPage } from './find-job-page.ts'

/**
 * Lists a project's jobs, newest first. The cursor identifies the last job on the previous page, so
 * that new jobs do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listJobs(
  deps: FindJobsDeps,
  input: { projectId: string; skip?: number } & ListJobsQuery,
): Promise<JobPage> {
  const { projectId, status, outcome, q, createdAfter, createdBefore, ...page } = input
  const times: JobWhereInput[] = []
  if (createdAfter) times.push({ createdAt: { gt: toTime(createdAfter) } })
  if (createdBefore) times.push({ createdAt: { lt: toTime(createdBefore) } })
  const filters: JobWhereInput[] = []
  if (status) filters.push({ status })
  if (outcome) filters.push({ outcome })
  const { rows, nextCursor } = await findJobPage(deps, { projectId, times, filters, q, ...page })
  return { jobs: rows.map(toAgentJob), nextCursor }
}

/**
 * Bounds for the times in filters. Postgres cannot represent every ISO 8601 time, because it has no
 * year 0. No job was created outside these bounds.
 */
const FIRST_MS = Date.parse('0001-01-02T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')

const toTime = (text: string): Date => new Date(Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS))
