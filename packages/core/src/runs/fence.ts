import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

/** What every write of a worker must name: the run and the attempt it claimed. */
export interface Fence {
  readonly runId: string
  readonly jobId: string
  readonly attempt: number
}

/** Runs as leases: an ended run cannot be written to. */
export const RUNS: LeaseTable<Pick<Fence, 'runId' | 'attempt'>> = {
  name: 'runs',
  writable: Prisma.sql`active`,
  toLease: ({ runId, attempt }) => ({ id: runId, fence: attempt }),
}
