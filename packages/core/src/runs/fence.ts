import { LostLeaseError } from '../base/errors.ts'
import { inLiveProject } from '../db/in-live-project.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { lockLease } from '../leases/write-fenced.ts'

/** The run and attempt that a worker claimed. Required for each of its writes. */
export interface Fence {
  readonly runId: string
  readonly jobId: string
  readonly attempt: number
}

/** Lease table of runs. A run that has ended or whose project is deleted is not writable. */
export const RUNS: LeaseTable<Pick<Fence, 'runId' | 'attempt'>> = {
  name: 'runs',
  writable: Prisma.sql`active AND ${inLiveProject('runs')}`,
  toLease: ({ runId, attempt }) => ({ id: runId, fence: attempt }),
}

/**
 * Checks in the database that this claim holds the run. A worker's clock does not tell that the job
 * was cancelled or the project was deleted a moment ago. Waits for a transaction that is about to
 * cancel the job.
 * @throws LostLeaseError
 */
export async function assertWritable({ prisma }: PrismaDeps, fence: Fence): Promise<void> {
  if (!(await lockLease(prisma, RUNS, fence))) throw new LostLeaseError(fence.runId)
}
