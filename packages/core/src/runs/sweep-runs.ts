import type { Database } from '../db/open-database.ts'
import { IDEMPOTENCY_HOURS } from '../jobs/create-job.ts'
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
  // Each part alone: one row that cannot end must not keep the others from running.
  const ended = await endHopeless(deps).catch((error: Error) => {
    deps.log.error({ err: error }, 'runs that nobody may claim could not be ended')
    return 0
  })
  await forgetAnswers(deps)
  // Rows that somebody holds are skipped: a worker that was stopped inside a transaction must not stop the sweeps of all others.
  const due = await deps.prisma.$queryRaw<{ id: string; attempt: number; turn: bigint; created_at: Date }[]>`
    WITH due AS (
      SELECT id, project_id, created_at FROM runs
      WHERE active AND next_run_at <= clock_timestamp() AND (lease_until IS NULL OR lease_until < clock_timestamp())
        AND (enqueued_at IS NULL OR enqueued_at < clock_timestamp() - make_interval(secs => ${REQUEUE_AFTER_SECONDS}))
      FOR UPDATE SKIP LOCKED
    ), ranked AS (
      SELECT id, created_at, row_number() OVER (PARTITION BY project_id ORDER BY created_at, id) AS turn FROM due
      ORDER BY turn, created_at, id LIMIT ${BATCH}
    )
    UPDATE runs SET enqueued_at = clock_timestamp() FROM ranked WHERE runs.id = ranked.id
    RETURNING runs.id, runs.attempt, ranked.turn, ranked.created_at`
  // An UPDATE answers its rows in no particular order.
  due.sort((a, b) => Number(a.turn - b.turn) || a.created_at.getTime() - b.created_at.getTime())
  for (const run of due) await deps.queue.enqueue(run.id, run.attempt + 1)
  return { queued: due.length, ended }
}

/** Stored answers of idempotency keys are kept for a day. */
async function forgetAnswers({ prisma }: SweepDeps): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM idempotency_keys WHERE (project_id, key) IN (
      SELECT project_id, key FROM idempotency_keys
      WHERE created_at < clock_timestamp() - make_interval(hours => ${IDEMPOTENCY_HOURS}) LIMIT 1000 FOR UPDATE SKIP LOCKED
    )`
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
