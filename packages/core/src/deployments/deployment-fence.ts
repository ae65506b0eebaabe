import type { Database, Db } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'

/** What every write of a worker must name: the deployment and the attempt it claimed. */
export interface DeploymentFence {
  readonly statusId: string
  readonly attempt: number
}

/**
 * Does the work in one transaction, but only while this attempt still owns the deployment: the row is locked first, so a successor waits or we stop.
 * @throws LostLeaseError when another worker claimed it, or it has ended; nothing is written then
 */
export function writeDeploymentFenced<T>(
  { prisma }: Pick<Database, 'prisma'>,
  { statusId, attempt }: DeploymentFence,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return prisma.$transaction(async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM deployments WHERE id = ${statusId} AND attempt = ${attempt} AND status = 'in_progress' FOR UPDATE`
    if (held.length !== 1) throw new LostLeaseError(statusId)
    return work(tx)
  })
}
