import type { Database } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'
import type { Fence } from './fence.ts'

/**
 * Heartbeat: keeps the run ours for another lease, and tells whether somebody asked to cancel it.
 * @throws LostLeaseError when it is not ours any more
 */
export async function renewLease(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number },
  fence: Fence,
): Promise<{ cancelRequested: boolean }> {
  const rows = await deps.prisma.$queryRaw<{ cancel: boolean }[]>`
    UPDATE runs SET lease_until = clock_timestamp() + make_interval(secs => ${deps.leaseSeconds})
    WHERE id = ${fence.runId} AND attempt = ${fence.attempt} AND active
    RETURNING cancel_requested_at IS NOT NULL AS cancel`
  const [row] = rows
  if (!row) throw new LostLeaseError(fence.runId)
  return { cancelRequested: row.cancel }
}
