import type { JobEventRecord } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Lists a job's events after a sequence number, in order and without gaps.
 * @throws AppError `not_found`, including for another project's job
 */
export async function listEvents(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string; id: string; after: number; limit: number },
): Promise<JobEventRecord[]> {
  const job = await prisma.job.findFirst({ where: { id: input.id, projectId: input.projectId }, select: { id: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const rows = await prisma.jobEvent.findMany({
    where: { jobId: input.id, seq: { gt: input.after } },
    orderBy: { seq: 'asc' },
    take: input.limit,
  })
  return rows.map((row) => ({
    seq: row.seq,
    type: row.type,
    createdAt: row.createdAt.toISOString(),
    data: row.data as Record<string, unknown>,
  }))
}
