import type { JobPage, ListJobsQuery } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { toAfterCursor, toCursor, toTextFilter } from './job-cursor.ts'

/**
 * Lists a project's jobs, newest first. The cursor identifies the last job on the previous page, so
 * that new jobs do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listJobs(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string } & ListJobsQuery,
): Promise<JobPage> {
  const { projectId, limit } = input
  const rows = await prisma.job.findMany({
    where: { AND: [{ projectId }, ...toFilters(input)] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    jobs: page.map(toAgentJob),
    nextCursor: rows.length > limit && last ? toCursor(last.createdAt, last.id) : null,
  }
}

/**
 * Bounds for the times in filters. Postgres cannot represent every ISO 8601 time, because it has no
 * year 0. No job was created outside these bounds.
 */
const FIRST_MS = Date.parse('0001-01-02T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')

const toTime = (text: string): Date => new Date(Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS))

function toFilters({ status, outcome, q, createdAfter, createdBefore, cursor }: ListJobsQuery): JobWhereInput[] {
  const filters: JobWhereInput[] = []
  if (status) filters.push({ status })
  if (outcome) filters.push({ outcome })
  if (createdAfter) filters.push({ createdAt: { gt: toTime(createdAfter) } })
  if (createdBefore) filters.push({ createdAt: { lt: toTime(createdBefore) } })
  if (q) filters.push(toTextFilter(q))
  if (cursor) filters.push(toAfterCursor(cursor))
  return filters
}
