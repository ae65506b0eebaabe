import { SYSTEM } from '../audit/audit-context.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { createDeployment } from './create-deployment.ts'

/**
 * Queues the deployment of a job's merged pull request, once per job. Safe to repeat, even from
 * several workers concurrently.
 * @returns true when this call queued it
 * @throws AppError with the same codes as createDeployment
 */
export async function ensureMergeDeployment(
  deps: Pick<Database, 'prisma'>,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<boolean> {
  const found = await deps.prisma.deployment.findFirst({ where: { jobId, trigger: 'merge' }, select: { id: true } })
  if (found) return false
  try {
    await createDeployment({ ...deps, audit: SYSTEM }, { projectId, jobId, trigger: 'merge' })
    return true
  } catch (error) {
    // Another worker queued it first. A unique constraint allows one merge deployment per job.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false
    throw error
  }
}
