import { LostLeaseError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * Checks in the database that this claim holds the run. A worker's clock does not tell that the job
 * was cancelled or the project was deleted a moment ago. Waits for a transaction that is about to
 * cancel the job.
 * @throws LostLeaseError
 */
export async function assertWritable({ prisma }: Pick<Database, 'prisma'>, fence: Fence): Promise<void> {
  if (!(await lockLease(prisma, RUNS, fence))) throw new LostLeaseError(fence.runId)
}
