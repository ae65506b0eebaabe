import type { NewJobEvent } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'
import { toStorable } from '../to-storable.ts'

/** What every write of a worker must name: the run and the attempt it claimed. */
export interface Fence {
  readonly runId: string
  readonly jobId: string
  readonly attempt: number
}

/**
 * Does the work in one transaction, but only while this attempt still owns the run: the row is locked first, so a successor waits or we stop.
 * @throws LostLeaseError when another worker claimed the run, or it has ended; nothing is written then
 */
export function writeFenced<T>(
  { prisma }: Pick<Database, 'prisma'>,
  fence: Fence,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return prisma.$transaction(async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM runs WHERE id = ${fence.runId} AND attempt = ${fence.attempt} AND active FOR UPDATE`
    if (held.length !== 1) throw new LostLeaseError(fence.runId)
    return work(tx)
  })
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
