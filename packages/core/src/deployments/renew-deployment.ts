import type { Database } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'
import type { DeploymentFence } from './deployment-fence.ts'

/**
 * Heartbeat: keeps the deployment ours for another lease.
 * @throws LostLeaseError when it is not ours any more
 */
export async function renewDeployment(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number },
  { statusId, attempt }: DeploymentFence,
): Promise<void> {
  const renewed = await deps.prisma.$executeRaw`
    UPDATE deployments SET lease_until = clock_timestamp() + make_interval(secs => ${deps.leaseSeconds})
    -- One that was given back has no lease: a late heartbeat must not take it again.
    WHERE id = ${statusId} AND attempt = ${attempt} AND status = 'in_progress' AND lease_until IS NOT NULL`
  if (renewed !== 1) throw new LostLeaseError(statusId)
}
