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

/** No job lies outside of these years, and not every time does that ISO 8601 can write have a place in Postgres: it knows no year 0. */
const FIRST_MS = Date.parse('0001-01-02T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')

const toTime = (text: string): Date => new Date(Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS))

function toFilters({ status, outcome, q, createdAfter, createdBefore, cursor }: ListJobsQuery): JobWhereInput[] {
  const filters: JobWhereInput[] = []
  if (status) filters.push({ status })
  if (outcome) filters.push({ outcome })
  if (createdAfter) filters.push({ createdAt: { gt: toTime(createdAfter) } })
  if (createdBefore) filters.push({ createdAt: { lt: toTime(createdBefore) } })
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
