import type { JobPage, ListJobsQuery } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { type FindJobsDeps, findJobPage } from './find-job-page.ts'
import { readJobPage, toTime } from './read-job-page.ts'

export interface JobsQuery extends ListJobsQuery {
  readonly projectId: string
  /** Number of jobs to omit before the page. Not supported by searches. */
  readonly skip?: number
}

/**
 * Lists a project's jobs, newest first. The cursor identifies the last job on the previous page, so
 * that new jobs do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listJobs(deps: FindJobsDeps & Pick<Database, 'pool'>, input: JobsQuery): Promise<JobPage> {
  const { rows, nextCursor } = input.q ? await searchJobs(deps, input) : await readJobPage(deps, input)
  return { jobs: rows.map(toAgentJob), nextCursor }
}

function searchJobs(deps: FindJobsDeps, input: JobsQuery) {
  const { projectId, status, outcome, createdAfter, createdBefore, skip: _, ...page } = input
  const times: JobWhereInput[] = []
  if (createdAfter) times.push({ createdAt: { gt: toTime(createdAfter) } })
  if (createdBefore) times.push({ createdAt: { lt: toTime(createdBefore) } })
  const filters: JobWhereInput[] = []
  if (status) filters.push({ status })
  if (outcome) filters.push({ outcome })
  return findJobPage(deps, { projectId, times, filters, ...page })
}
