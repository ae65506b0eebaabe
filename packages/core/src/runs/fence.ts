import { inLiveProject } from '../db/in-live-project.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

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
