import type { Database } from '../db/open-database.ts'
import { type DeploymentFence, writeDeploymentFenced } from './deployment-fence.ts'

/**
 * Gives a deployment back in good order: the next worker goes on with it at once, and this claim is no attempt.
 * @throws LostLeaseError
 */
export async function releaseDeployment(deps: Pick<Database, 'prisma'>, fence: DeploymentFence): Promise<void> {
  await writeDeploymentFenced(deps, fence, (tx) =>
    tx.deployment.update({
      where: { id: fence.statusId },
      data: { leaseUntil: null, leaseOwner: null, handovers: { increment: 1 } },
    }),
  )
}
