import { LostLeaseError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { DEPLOYMENTS, type DeploymentFence } from './deployment-lease.ts'

/**
 * Releases a deployment on shutdown. Another worker can claim it immediately, and the released
 * claim does not count as an attempt.
 * @throws LostLeaseError
 */
export async function releaseDeployment({ prisma }: Pick<Database, 'prisma'>, fence: DeploymentFence): Promise<void> {
  const released = await releaseLease(prisma, DEPLOYMENTS, fence, Prisma.sql`handovers = handovers + 1`)
  if (!released) throw new LostLeaseError(fence.statusId)
}
