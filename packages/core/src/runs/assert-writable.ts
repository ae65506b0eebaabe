import type { Database } from '../db/open-database.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * Checks in the database that this claim holds the run. A worker's clock does not tell that the job
 * was cancelled or the project was deleted a moment ago.
 * @throws LostLeaseError
 */
export function assertWritable(deps: Pick<Database, 'prisma'>, fence: Fence): Promise<void> {
  return writeFenced(deps, RUNS, fence, async () => {})
}
