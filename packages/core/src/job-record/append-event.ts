import type { NewJobEvent } from '@corrigenda/contracts'
import { toStorable } from '../base/to-storable.ts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

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

/** Updates a job and appends events in one statement. */
export async function updateJob(
  tx: Pick<Db, '$executeRaw'>,
  jobId: string,
  { set, events }: { set?: Prisma.Sql; events: readonly [NewJobEvent, ...NewJobEvent[]] },
): Promise<void> {
  await tx.$executeRaw`
    WITH job AS (
      UPDATE jobs SET ${set ? Prisma.sql`${set},` : Prisma.empty} updated_at = ${new Date()}, ${countEvents(events)}
      WHERE id = ${jobId} RETURNING id, last_event_seq
    ) ${insertEvents(events)}`
}

/** Assignment that reserves the sequence numbers of events, for an UPDATE of their job. */
export const countEvents = (events: readonly NewJobEvent[]): Prisma.Sql =>
  Prisma.sql`last_event_seq = last_event_seq + ${events.length}::int`

/**
 * Inserts one or more events, given the updated job as `job (id, last_event_seq)`. See
 * {@link countEvents}.
 */
export function insertEvents(events: readonly NewJobEvent[]): Prisma.Sql {
  const rows = events.map(
    ({ type, data }, index) =>
      Prisma.sql`(${index + 1}::int, ${type}::text, ${JSON.stringify(toStorable(data))}::jsonb)`,
  )
  return Prisma.sql`INSERT INTO job_events (job_id, seq, type, data, created_at)
    SELECT job.id, job.last_event_seq - ${events.length}::int + e.n, e.type, e.data, clock_timestamp()
    FROM job CROSS JOIN (VALUES ${Prisma.join(rows)}) AS e (n, type, data)`
}
