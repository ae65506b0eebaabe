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
   * Further statements by name, which read the run from `held` and do not write to `jobs`, nor to
   * `runs` if `run` is set. They can join `job`, to be executed after it.
   */
  readonly also?: Readonly<Record<string, Prisma.Sql>>
  /** Columns of the result. Tables appear as they were before the statement. Default: none. */
  readonly select?: Prisma.Sql
  /** Joins to `held` for `select`, which can include the statements of `also`. */
  readonly joins?: Prisma.Sql
}

/** Columns of `held`. */
const HELD = Prisma.raw('id, job_id, project_id, usage_before, counted_cost_usd')

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
  { run, job, events, also = {}, select = Prisma.sql`1`, joins = Prisma.empty }: RunWrite,
): Promise<Row> {
  const held = run
    ? Prisma.sql`UPDATE runs SET ${run} WHERE ${isHeld(RUNS, fence)} RETURNING ${HELD}`
    : Prisma.sql`SELECT ${HELD} FROM runs WHERE ${isHeld(RUNS, fence)} FOR UPDATE`
  const parts = [
    Prisma.sql`held AS (${held})`,
    Prisma.sql`job AS (
      UPDATE jobs SET ${job}, updated_at = ${new Date()}, ${countEvents(events)}
      FROM held WHERE jobs.id = held.job_id RETURNING jobs.id, jobs.last_event_seq
    )`,
    ...(events.length === 0 ? [] : [Prisma.sql`events AS (${insertEvents(events)})`]),
    ...Object.entries(also).map(([name, part]) => Prisma.sql`${Prisma.raw(name)} AS (${part})`),
  ]
  const [row] = await db.$queryRaw<Row[]>`WITH ${Prisma.join(parts)} SELECT ${select} FROM held ${joins}`
  if (row === undefined) throw new LostLeaseError(fence.runId)
  return row
}

/** A value of a jsonb column. */
export const toJson = (value: unknown): Prisma.Sql => Prisma.sql`${JSON.stringify(value)}::jsonb`
