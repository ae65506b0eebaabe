import type { JobOutcome, OpsState } from '@corrigenda/contracts'
import { readInstanceSpend } from '../budgets/read-monthly-spend.ts'
import { inLiveProject } from '../db/in-live-project.ts'
import { listMigrations } from '../db/migrate-database.ts'
import type { Database, PrismaDeps } from '../db/open-database.ts'
import type { QuotaLimit } from '../jobs/count-quota.ts'
import type { QueueBackend, RunQueue } from '../queue/queue.ts'
import { listWorkers } from '../workers/list-workers.ts'

type Prisma = Database['prisma']

interface GetOpsStateDeps extends PrismaDeps {
  readonly queue: Pick<RunQueue, 'countWakeUps'>
  readonly quota: QuotaLimit
  readonly monthlyBudgetUsd?: number | null
}

/** Returns the service's state. An unavailable queue is reported in the result, not as an error. */
export async function getOpsState(
  deps: GetOpsStateDeps,
  input: { version: string; backend: QueueBackend['kind'] },
): Promise<OpsState> {
  const { prisma } = deps
  const [workers, waiting, last24h, failures, rates, monthlySpend, migrations, reachable] = await Promise.all([
    listWorkers(deps),
    countRuns(prisma),
    countEndedJobs(prisma),
    listFailures(prisma),
    listRates(prisma, deps.quota),
    readInstanceSpend(prisma, deps.monthlyBudgetUsd ?? null),
    countMigrations(deps),
    deps.queue.countWakeUps().then(
      () => true,
      () => false,
    ),
  ])
  const queue = { backend: input.backend, reachable, ...waiting }
  return { workers, queue, last24h, failures, rates, monthlySpend, version: input.version, migrations }
}

/** Reads the runs instead of the queue, because queue entries are only wake-ups. */
async function countRuns(prisma: Prisma): Promise<Omit<OpsState['queue'], 'backend' | 'reachable'>> {
  // The wait is negative if every waiting run is due in the future, for example for a retry.
  const [row] = await prisma.$queryRaw<[Omit<OpsState['queue'], 'backend' | 'reachable'>]>`
    SELECT count(*) FILTER (WHERE NOT held)::int AS waiting, count(*) FILTER (WHERE held)::int AS active,
      CASE WHEN count(*) FILTER (WHERE NOT held) > 0 THEN greatest(0,
        floor(extract(epoch FROM clock_timestamp() - min(next_run_at) FILTER (WHERE NOT held))))::int
      END AS "oldestWaitingSeconds"
    FROM (SELECT next_run_at, coalesce(lease_until > clock_timestamp(), false) AS held FROM runs WHERE active) each_run`
  return row
}

/** The column of the page that counts an outcome. */
const COUNTED_AS: Readonly<Record<JobOutcome, keyof OpsState['last24h']>> = {
  changed: 'completed',
  no_changes: 'completed',
  needs_input: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** Counts the jobs that ended in the last 24 hours. */
async function countEndedJobs(prisma: Prisma): Promise<OpsState['last24h']> {
  const rows = await prisma.$queryRaw<{ outcome: JobOutcome; count: number }[]>`
    SELECT outcome::text, count(*)::int AS count FROM jobs
    WHERE finished_at > now() - interval '24 hours' AND outcome IS NOT NULL GROUP BY 1`
  const counts = { completed: 0, failed: 0, cancelled: 0 }
  for (const { outcome, count } of rows) counts[COUNTED_AS[outcome]] += count
  return counts
}

/** Lists the failure codes from the last 24 hours, most frequent first, each with its newest job. */
async function listFailures(prisma: Prisma): Promise<OpsState['failures']> {
  const rows = await prisma.$queryRaw<
    (Omit<OpsState['failures'][number], 'lastAt'> & { readonly finished_at: Date })[]
  >`
    SELECT DISTINCT ON (code) coalesce(failure_code, 'unknown') AS code, id AS "lastJobId", project_id AS "lastProjectId",
      finished_at, count(*) OVER (PARTITION BY coalesce(failure_code, 'unknown'))::int AS count
    FROM jobs
    WHERE outcome = 'failed' AND finished_at > now() - interval '24 hours'
      AND ${inLiveProject('jobs')}
    ORDER BY code, finished_at DESC, id`
  return rows
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
    .map(({ finished_at, ...failure }) => ({ ...failure, lastAt: finished_at.toISOString() }))
}

/**
 * Lists up to 50 projects with the number of jobs created in the current window, highest first.
 * Omits projects without new jobs.
 */
async function listRates(prisma: Prisma, { limit, windowSeconds }: QuotaLimit): Promise<OpsState['rates']> {
  const rows = await prisma.$queryRaw<{ projectId: string; name: string; used: number }[]>`
    SELECT p.id AS "projectId", p.name, recent.used
    FROM projects p CROSS JOIN LATERAL (
      -- The index on runs starts with the project. The time is a subquery, because a volatile
      -- function is evaluated for each row.
      SELECT count(*)::int AS used FROM runs
      WHERE project_id = p.id AND kind = 'create'
        AND created_at > (SELECT clock_timestamp() - make_interval(secs => ${windowSeconds}))
    ) recent
    WHERE p.deleted_at IS NULL AND recent.used > 0
    ORDER BY recent.used DESC, p.id LIMIT 50`
  return rows.map(({ projectId, name, used }) => ({ projectId, name, limit, used, windowSeconds }))
}

/** Returns the number of applied migrations and the names of this version's pending migrations. */
export async function countMigrations({ prisma }: PrismaDeps): Promise<{ applied: number; pending: string[] }> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  const applied = new Set(rows.map(({ name }) => name))
  return { applied: applied.size, pending: (await listMigrations()).filter((name) => !applied.has(name)) }
}
