import { inLiveProject } from '../db/in-live-project.ts'
import { isConnectionError } from '../db/is-connection-error.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import { hasAttemptLeft, MAX_STALLS } from './attempt-counters.ts'
import type { ClaimRules } from './claim-run.ts'
import { countEndedRun } from './count-ended-run.ts'
import { endRun } from './finish-run.ts'

const BATCH = 200

export interface SweepDeps extends PrismaDeps, ClaimRules {
  readonly queue: RunQueue
  readonly log: Log
}

/**
 * Recovers runs that no worker holds. Ends runs with no attempts left, and tops up the queue to one
 * wake-up per run that can start. Wake-ups are not tied to runs, so only their number matters. Any
 * worker may sweep at any time.
 * @returns the numbers of added wake-ups and ended runs
 */
export async function sweepRuns(deps: SweepDeps): Promise<{ woken: number; ended: number }> {
  // Errors are caught here, because a run that cannot be ended must not prevent other runs from
  // starting.
  const ended = await endExhausted(deps).catch((error: Error) => {
    deps.log.error({ err: error }, 'failed to end runs with no attempts left')
    return 0
  })
  const due = await listDueRuns(deps)
  if (due.length === 0) return { woken: 0, ended }
  const missing = Math.max(0, due.length - (await deps.queue.countWakeUps()))
  for (let n = 0; n < missing; n += 1) await deps.queue.wakeWorker()
  return { woken: missing, ended }
}

/**
 * Returns the ids of runs that can start now, up to each project's free slots. Does not acquire
 * locks, so a suspended process cannot block a sweep.
 */
export async function listDueRuns({
  prisma,
  projectConcurrency,
  maxAttempts,
}: Pick<SweepDeps, 'prisma' | 'projectConcurrency' | 'maxAttempts'>): Promise<string[]> {
  const due = await prisma.$queryRaw<{ id: string }[]>`
    WITH running AS (
      SELECT project_id, count(*)::int AS n FROM runs WHERE active AND lease_until >= clock_timestamp() GROUP BY project_id
    ), ranked AS (
      SELECT id, project_id, created_at, row_number() OVER (PARTITION BY project_id ORDER BY created_at, id) AS turn FROM runs
      WHERE active AND (lease_until IS NULL OR lease_until < clock_timestamp())
        AND next_run_at <= clock_timestamp()
        AND ${hasAttemptLeft(maxAttempts)}
        AND ${inLiveProject('runs')}
    )
    SELECT id FROM ranked LEFT JOIN running USING (project_id)
    WHERE turn + coalesce(n, 0) <= ${projectConcurrency}
    ORDER BY turn, created_at, id LIMIT ${BATCH}`
  return due.map((run) => run.id)
}

/**
 * Returns the id of one of the project's due runs that has no valid lease, or null. Claiming the
 * run may still fail.
 */
export async function findWaitingRun({ prisma }: PrismaDeps, projectId: string): Promise<string | null> {
  const [waiting] = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE project_id = ${projectId} AND active AND next_run_at <= clock_timestamp()
      AND (lease_until IS NULL OR lease_until < clock_timestamp())
    ORDER BY created_at, id LIMIT 1`
  return waiting?.id ?? null
}

/**
 * Ends runs with no attempts left, each in its own transaction, so that a run that cannot be ended
 * does not prevent others from ending. Skips rows locked by another transaction, so that a worker
 * suspended inside a transaction does not block the other workers' sweeps.
 */
async function endExhausted({ prisma, maxAttempts, log }: SweepDeps): Promise<number> {
  const isExhausted = Prisma.sql`active AND (lease_until IS NULL OR lease_until < clock_timestamp())
    AND NOT ${hasAttemptLeft(maxAttempts)} AND ${inLiveProject('runs')}`
  const runs = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE ${isExhausted} ORDER BY created_at LIMIT ${BATCH}`
  let ended = 0
  for (const { id } of runs) {
    try {
      const closed = await prisma.$transaction(async (tx) => {
        const [run] = await tx.$queryRaw<{ job_id: string; cancelled: boolean; stalls: number }[]>`
          SELECT job_id, cancel_requested_at IS NOT NULL AS cancelled, stalls FROM runs
          WHERE id = ${id} AND ${isExhausted} FOR UPDATE SKIP LOCKED`
        if (!run) return null
        const outcome = run.cancelled ? ({ kind: 'cancelled' } as const) : toExhausted(maxAttempts, run)
        return endRun(tx, { runId: id, jobId: run.job_id }, outcome)
      })
      if (closed === null) continue
      countEndedRun(closed)
      log.warn({ runId: id, jobId: closed.run.jobId }, 'ended a run with no attempts left')
      ended += 1
    } catch (error) {
      if (isConnectionError(error)) throw error
      log.error({ err: error, runId: id }, 'failed to end a run with no attempts left')
    }
  }
  return ended
}

/** Returns the outcome for a run with no attempts left. */
export function toExhausted(attempts: number, { stalls }: { readonly stalls: number }) {
  if (stalls >= MAX_STALLS) {
    return {
      kind: 'failed',
      code: 'worker_unresponsive',
      message: `${stalls} workers stopped responding while they worked on this job, so it was ended. Retry it, or report it with the repository and the prompt.`,
    } as const
  }
  return {
    kind: 'failed',
    code: 'attempts_exhausted',
    message: `The job was started ${attempts} times, and its worker stopped each time before it finished.`,
  } as const
}
