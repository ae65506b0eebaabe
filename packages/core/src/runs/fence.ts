import type { NewJobEvent } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { toStorable } from '../to-storable.ts'

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

/** Adds an event to a job, in the transaction of the change it reports. The job row's lock makes the sequence gapless. */
export async function appendEvent(tx: Db, jobId: string, { type, data }: NewJobEvent): Promise<void> {
  const { lastEventSeq: seq } = await tx.job.update({
    where: { id: jobId },
    data: { lastEventSeq: { increment: 1 } },
    select: { lastEventSeq: true },
  })
  await tx.jobEvent.create({ data: { jobId, seq, type, data: toStorable(data) } })
}
