import type { NewJobEvent } from '@corrigenda/contracts'
import { LostLeaseError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { countEvents, insertEvents } from '../job-record/append-event.ts'
import { isHeld } from '../leases/lease-table.ts'
import { type Fence, RUNS } from './fence.ts'

export interface RunWrite {
  /** Assignments to the run. */
  readonly run?: Prisma.Sql
  /** Assignments to the job. Columns of the run are available as `held`. */
  readonly job: Prisma.Sql
  readonly events: readonly NewJobEvent[]
  /**
   * Further statements, which read the run from `held (id, job_id, usage_before)` and write to
   * tables other than `runs` and `jobs`.
   */
  readonly also?: readonly Prisma.Sql[]
  /** Columns of the result. Tables appear as they were before the statement. Default: none. */
  readonly select?: Prisma.Sql
}

/**
 * Writes to a run and its job in one statement while this claim holds the run, which is one round
 * trip instead of one per row. As in `writeFenced`, the run's row is locked first, and the other
 * parts join it, so that they write nothing if the claim does not hold it.
 * @returns the selected columns
 * @throws LostLeaseError
 */
export async function writeRun<Row>(
  db: Pick<Db, '$queryRaw'>,
  fence: Fence,
  { run, job, events, also = [], select = Prisma.sql`1` }: RunWrite,
): Promise<Row> {
  const columns = Prisma.sql`id, job_id, usage_before`
  const held = run
    ? Prisma.sql`UPDATE runs SET ${run} WHERE ${isHeld(RUNS, fence)} RETURNING ${columns}`
    : Prisma.sql`SELECT ${columns} FROM runs WHERE ${isHeld(RUNS, fence)} FOR UPDATE`
  const parts = [
    Prisma.sql`held AS (${held})`,
    Prisma.sql`job AS (
      UPDATE jobs SET ${job}, updated_at = ${new Date()}, ${countEvents(events)}
      FROM held WHERE jobs.id = held.job_id RETURNING jobs.id, jobs.last_event_seq
    )`,
    ...(events.length === 0 ? [] : [Prisma.sql`events AS (${insertEvents(events)})`]),
    ...also.map((part, index) => Prisma.sql`${Prisma.raw(`also_${index}`)} AS (${part})`),
  ]
  const [row] = await db.$queryRaw<Row[]>`WITH ${Prisma.join(parts)} SELECT ${select} FROM held`
  if (row === undefined) throw new LostLeaseError(fence.runId)
  return row
}

/** A value of a jsonb column. */
export const toJson = (value: unknown): Prisma.Sql => Prisma.sql`${JSON.stringify(value)}::jsonb`
