import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'

/**
 * Time worked on a run under ended claims, in ms. Runs that ended before their last claim was
 * counted still have its start.
 */
const WORKED = Prisma.sql`(worked_ms + CASE WHEN active THEN 0
  ELSE greatest(0, coalesce(extract(epoch FROM ended_at - claimed_at) * 1000, 0)) END)`

const toMs = (sum: Prisma.Sql): Prisma.Sql => Prisma.sql`least(${sum}, 2147483647)::int`

/**
 * Assignments that set a job's working time from its runs. Waiting for a worker, for the model API
 * or for a user's answer does not count. Use them in the transaction that claimed or released a run.
 */
export const countWorkedTime = (jobId: string): Prisma.Sql =>
  Prisma.sql`(worked_ms, working_since) = (
    SELECT ${toMs(Prisma.sql`sum(${WORKED})`)}, max(claimed_at) FILTER (WHERE active) FROM runs WHERE job_id = ${jobId})`

/** An ended run. */
export interface ClosedRun
  extends Pick<
    RunModel,
    | 'jobId'
    | 'projectId'
    | 'kind'
    | 'seq'
    | 'attempt'
    | 'releases'
    | 'failures'
    | 'restarts'
    | 'frozen'
    | 'sources'
    | 'startedAt'
    | 'cancelRequestedAt'
    | 'usageBefore'
    | 'workedMs'
  > {
  /** Time worked on the job so far, in ms. */
  readonly jobWorkedMs: number
  /** In US dollars. */
  readonly costUsd: number
}

/** Ends a run. The time of a crashed worker counts until its lease expired. */
export async function closeRun(tx: Pick<Db, '$queryRaw'>, runId: string, now: Date): Promise<ClosedRun> {
  const [run] = await tx.$queryRaw<ClosedRun[]>`
    UPDATE runs SET active = false, ended_at = ${now}, lease_until = NULL, lease_owner = NULL, claimed_at = NULL,
      worked_ms = worked_ms + greatest(0,
        coalesce(extract(epoch FROM least(lease_until, clock_timestamp()) - claimed_at) * 1000, 0))::int
    WHERE id = ${runId}
    RETURNING job_id AS "jobId", project_id AS "projectId", kind, seq, attempt, handovers AS releases, failures, restarts, frozen,
      sources, started_at AS "startedAt", cancel_requested_at AS "cancelRequestedAt", usage_before AS "usageBefore",
      worked_ms AS "workedMs", counted_cost_usd::float8 AS "costUsd", ${toMs(Prisma.sql`worked_ms + (
        SELECT coalesce(sum(${WORKED}), 0) FROM runs AS other WHERE other.job_id = runs.job_id AND other.id <> runs.id
      )`)} AS "jobWorkedMs"`
  if (!run) throw new Error(`run ${runId} is missing`)
  return run
}
