import type { Database } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'
import type { Fence } from './fence.ts'

/**
 * Heartbeat: keeps the run ours for another lease.
 * @throws LostLeaseError when it is not ours any more
 */
export async function renewLease(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number },
  fence: Fence,
): Promise<void> {
  const renewed = await deps.prisma.$executeRaw`
    UPDATE runs SET lease_until = clock_timestamp() + make_interval(secs => ${deps.leaseSeconds})
    -- A run that was given back has no lease: a late heartbeat must not take it again.
    WHERE id = ${fence.runId} AND attempt = ${fence.attempt} AND active AND lease_until IS NOT NULL`
  if (renewed !== 1) throw new LostLeaseError(fence.runId)
}
