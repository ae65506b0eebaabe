import type { JobPage, ListJobsQuery } from '@corrigenda/contracts'
import type { PoolDeps } from '../db/open-database.ts'
import { queryShared } from '../db/query-prepared.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { NEWEST_FIRST, toAfterCursor, toJobCondition, toPage } from './job-filter.ts'
import { type SearchDeps, searchJobs } from './search-jobs.ts'

export interface JobsQuery extends ListJobsQuery {
  readonly projectId: string
  /** Number of jobs to omit before the page. Not supported by searches. */
  readonly skip?: number
}

const COLUMNS = Prisma.raw(toJobColumns('jobs'))

/**
 * Lists a project's jobs, newest first. The cursor identifies the last job on the previous page, so
 * that new jobs do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listJobs(deps: SearchDeps & PoolDeps, input: JobsQuery): Promise<JobPage> {
  const { projectId, q, skip = 0, cursor, limit, ...filter } = input
  if (q) {
    const { ids, nextCursor } = await searchJobs(deps, { projectId, q, filter, cursor, limit })
    const orderBy = [{ createdAt: 'desc' }, { id: 'desc' }] as const
    const rows = await deps.prisma.job.findMany({ where: { id: { in: ids } }, orderBy: [...orderBy] })
    return { jobs: rows.map(toAgentJob), nextCursor }
  }
  // Sent without Prisma, because clients request the first page often. The limit is a literal, because
  // Postgres plans a prepared statement with an unknown limit for many rows.
  const { text, values } = Prisma.sql`
    SELECT ${COLUMNS} FROM jobs
    WHERE project_id = ${projectId} AND ${toJobCondition(filter)} AND ${toAfterCursor(cursor)}
    ${NEWEST_FIRST} LIMIT ${Prisma.raw(String(Math.trunc(limit) + 1))} OFFSET ${skip}`
  const { rows, nextCursor } = toPage(await queryShared<AgentJobRow>(deps.pool, text, values), limit)
  return { jobs: rows.map(toAgentJob), nextCursor }
}
