import type { JobPage, ListJobsQuery } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { AppError } from '../errors.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from './to-agent-job.ts'

/**
 * Jobs of a project, newest first. The cursor names the last job of the page before, so that new jobs move nothing.
 * @throws AppError `invalid_request` when the cursor is none of ours
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

function toFilters({ status, outcome, q, createdAfter, createdBefore, cursor }: ListJobsQuery): JobWhereInput[] {
  const filters: JobWhereInput[] = []
  if (status) filters.push({ status })
  if (outcome) filters.push({ outcome })
  if (createdAfter) filters.push({ createdAt: { gt: new Date(createdAfter) } })
  if (createdBefore) filters.push({ createdAt: { lt: new Date(createdBefore) } })
  if (q) {
    // Prisma hands the wildcards of LIKE through.
    const text = { contains: q.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const
    filters.push({ OR: [{ title: text }, { summary: text }, { runs: { some: { prompt: text } } }] })
  }
  if (cursor) {
    const { createdAt, id } = readCursor(cursor)
    filters.push({ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] })
  }
  return filters
}

const toCursor = (createdAt: Date, id: string): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, ms, id] = /^(\d{1,14}) (job_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is not one of ours. Send the nextCursor of the page before, unchanged.',
    )
  }
  return { createdAt: new Date(Number(ms)), id }
}
