import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Returns the sequence number of a job's newest event. `hasEnded` is true if the job is not active.
 * Events about its pull request and deployments can still follow.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getEventState(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string; id: string },
): Promise<{ lastSeq: number; hasEnded: boolean }> {
  const where = { id: input.id, projectId: input.projectId }
  const job = await prisma.job.findFirst({ where, select: { lastEventSeq: true, status: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  return { lastSeq: job.lastEventSeq, hasEnded: job.status !== 'active' }
}
