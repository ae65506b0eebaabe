import { Prisma } from '../generated/prisma/client.ts'
import { hasAttemptLeft } from '../runs/attempt-counters.ts'
import type { Look } from './find-dead-workers.ts'
import type { SessionQuery } from './open-worker-session.ts'
import { HELD_WORKER_LOCKS, toWorkerKey } from './worker-key.ts'

/** A look at the worker locks. */
export interface WorkerLook extends Look {
  /** True if another worker has reported that it has runs. */
  readonly othersBusy: boolean
}

/** Reads the worker locks with one statement. Its cost does not depend on the number of runs. */
export async function lookAtWorkers(query: SessionQuery, owner: string): Promise<WorkerLook> {
  const [row] = await query<{ at: number; held: string[]; others_busy: boolean }>(
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at,
       ARRAY(SELECT objid::text FROM (${HELD_WORKER_LOCKS}) AS locks) AS held,
       EXISTS (SELECT FROM workers WHERE busy > 0 AND id <> $1) AS others_busy`,
    [owner],
  )
  if (!row) throw new Error('the look at the workers returned no row')
  return { at: row.at, held: new Set(row.held.map(Number)), othersBusy: row.others_busy }
}

/** Returns the names of workers by key. A worker that was stopped normally has no record. */
export async function readWorkerNames(query: SessionQuery): Promise<ReadonlyMap<number, string>> {
  const rows = await query<{ id: string }>('SELECT id FROM workers')
  return new Map(rows.map(({ id }) => [toWorkerKey(id), id]))
}

/**
 * Ends the leases of a dead worker, so that its runs can be claimed, and records this in
 * `run_takeovers`. Changes nothing if the worker's lock is held again. Leaves these runs to the
 * expiry of their leases:
 *
 * - runs without attempts left, which would only be ended, and
 * - runs claimed after the lock was missed, because the worker was running then.
 *
 * Skips rows that another transaction has locked. Call it again for these.
 * @param input.missingSince time of the database clock in ms
 * @returns the number of runs
 */
export async function takeOverRuns(
  query: SessionQuery,
  input: { owner: string; missingSince: number; maxAttempts: number },
): Promise<number> {
  const { owner, missingSince, maxAttempts } = input
  const { text, values } = Prisma.sql`
    WITH due AS (
      SELECT id FROM runs
      WHERE active AND lease_owner = ${owner} AND lease_until >= clock_timestamp()
        AND claimed_at < to_timestamp(${missingSince}::float8 / 1000) AND ${hasAttemptLeft(maxAttempts)}
        AND ${toWorkerKey(owner)}::bigint NOT IN (SELECT objid::bigint FROM (${Prisma.raw(HELD_WORKER_LOCKS)}) AS locks)
      FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE runs SET lease_until = clock_timestamp() FROM due WHERE runs.id = due.id
      RETURNING runs.id, runs.attempt, runs.lease_owner
    )
    INSERT INTO run_takeovers (run_id, attempt, owner) SELECT id, attempt, lease_owner FROM ended
    ON CONFLICT (run_id, attempt) DO UPDATE SET refuted_at = NULL RETURNING run_id`
  return (await query(text, values)).length
}
