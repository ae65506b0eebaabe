import type { NewJobEvent } from '@corrigenda/contracts'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'

/**
 * Appends an event to a job. Call it in the transaction that makes the reported change. The lock on
 * the job's row keeps the sequence gapless.
 */
export async function appendEvent(tx: Db, jobId: string, { type, data }: NewJobEvent): Promise<void> {
  const { lastEventSeq: seq } = await tx.job.update({
    where: { id: jobId },
    data: { lastEventSeq: { increment: 1 } },
    select: { lastEventSeq: true },
  })
  await tx.jobEvent.create({ data: { jobId, seq, type, data: toStorable(data) } })
}
