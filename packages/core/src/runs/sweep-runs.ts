import type { Database } from '../db/open-database.ts'
import type { Log } from '../open-log.ts'
import type { RunQueue } from '../queue.ts'
import { endRun } from './finish-run.ts'

/** An entry that was handed to the queue this long ago and is still unclaimed is handed over again, in case it was lost. */
const REQUEUE_AFTER_SECONDS = 5
const BATCH = 200

export interface SweepDeps extends Pick<Database, 'prisma'> {
  readonly queue: RunQueue
  readonly log: Log
  readonly maxAttempts: number
}

/**
 * Brings back what nobody works on: due runs without a live lease go to the queue, the oldest of each project first and the projects in
 * turn; runs that were cancelled or have no attempts left end. Every worker may do this at any time.
 * @returns how many were queued and how many ended
 */
export async function sweepRuns(deps: SweepDeps): Promise<{ queued: number; ended: number }> {
  const ended = await endHopeless(deps)
  const due = await deps.prisma.$queryRaw<{ id: string; attempt: number; turn: bigint; created_at: Date }[]>`
    UPDATE runs SET enqueued_at = clock_timestamp() FROM (
      SELECT id, turn, created_at FROM (
        SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY created_at, id) AS turn, created_at
        FROM runs
        WHERE active AND next_run_at <= clock_timestamp() AND (lease_until IS NULL OR lease_until < clock_timestamp())
          AND (enqueued_at IS NULL OR enqueued_at < clock_timestamp() - make_interval(secs => ${REQUEUE_AFTER_SECONDS}))
      ) AS ranked ORDER BY turn, created_at, id LIMIT ${BATCH}
    ) AS due WHERE runs.id = due.id
      AND (enqueued_at IS NULL OR enqueued_at < clock_timestamp() - make_interval(secs => ${REQUEUE_AFTER_SECONDS}))
    RETURNING runs.id, runs.attempt, due.turn, due.created_at`
  // An UPDATE answers its rows in no particular order.
  due.sort((a, b) => Number(a.turn - b.turn) || a.created_at.getTime() - b.created_at.getTime())
  for (const run of due) await deps.queue.enqueue(run.id, run.attempt + 1)
  return { queued: due.length, ended }
}

async function endHopeless({ prisma, maxAttempts, log }: SweepDeps): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const runs = await tx.$queryRaw<{ id: string; job_id: string; cancelled: boolean }[]>`
      SELECT id, job_id, cancel_requested_at IS NOT NULL AS cancelled FROM runs
      WHERE active AND (lease_until IS NULL OR lease_until < clock_timestamp())
        AND (cancel_requested_at IS NOT NULL OR attempt - handovers >= ${maxAttempts})
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
    for (const run of runs) {
      log.warn({ runId: run.id, jobId: run.job_id, cancelled: run.cancelled }, 'ending a run that nobody may claim')
      const failed = {
        kind: 'failed',
        code: 'attempts_exhausted',
        message: `The job was started ${maxAttempts} times and its worker ended each time before it was done.`,
      } as const
      await endRun(tx, { runId: run.id, jobId: run.job_id }, run.cancelled ? { kind: 'cancelled' } : failed)
    }
    return runs.length
  })
}
