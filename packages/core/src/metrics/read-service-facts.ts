import { BUDGET_WARNING_SHARE, WORKER_ALIVE_SECONDS } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** A sum of the rows of `metric_counts`. */
export interface CountRow {
  /** Null unless the counts of each project were requested. */
  readonly project: string | null
  readonly metric: string
  readonly label: string
  readonly detail: string
  readonly value: number
}

/** Facts about the service that only the database has. Durations are in seconds, costs in dollars. */
export interface ServiceFacts {
  readonly queued: number
  readonly due: number
  readonly active: number
  /** Age of the oldest due run. 0 if no run is due. */
  readonly oldestWait: number
  readonly workers: number
  readonly slots: number
  readonly busy: number
  readonly spent: number
  /** Number of projects that have used 80% of their budget of this month. */
  readonly projectsNearBudget: number
  readonly databaseBytes: number
  readonly connections: number
  readonly maxConnections: number
  readonly counts: readonly CountRow[]
}

/**
 * Reads all facts in one statement. Its cost depends on the number of active runs, workers and
 * projects, but not on the number of jobs.
 */
export async function readServiceFacts(
  { pool }: Pick<Database, 'pool'>,
  { byProject }: { byProject: boolean },
): Promise<ServiceFacts> {
  const project = byProject ? 'project_id' : 'NULL::text'
  const { rows } = await pool.query<ServiceFacts>(
    `SELECT r.*, w.*, spend.*, server.*, counted.counts FROM (
      SELECT count(*) FILTER (WHERE NOT held)::int AS queued,
        count(*) FILTER (WHERE NOT held AND next_run_at <= clock_timestamp())::int AS due,
        count(*) FILTER (WHERE held)::int AS active,
        greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(next_run_at) FILTER (WHERE NOT held)), 0))::float8
          AS "oldestWait"
      FROM (SELECT next_run_at, coalesce(lease_until > clock_timestamp(), false) AS held FROM runs WHERE active) each_run
    ) r, (
      SELECT count(*)::int AS workers, coalesce(sum(slots), 0)::int AS slots, coalesce(sum(busy), 0)::int AS busy
      FROM workers WHERE seen_at > clock_timestamp() - make_interval(secs => $1)
    ) w, (
      SELECT coalesce((SELECT cost_usd FROM instance_spend s WHERE s.month = m.month), 0)::float8 AS spent, (
          SELECT count(*)::int FROM project_spend s JOIN projects p ON p.id = s.project_id
          WHERE s.month = m.month AND s.cost_usd >= p.monthly_budget_usd * $2::numeric AND p.deleted_at IS NULL
        ) AS "projectsNearBudget"
      FROM (SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date AS month) m
    ) spend, (
      SELECT pg_database_size(current_database())::float8 AS "databaseBytes",
        (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
        current_setting('max_connections')::int AS "maxConnections"
    ) server, (
      SELECT coalesce(json_agg(c), '[]') AS counts FROM (
        SELECT ${project} AS project, metric, label, detail, sum(value)::float8 AS value
        FROM metric_counts GROUP BY 1, metric, label, detail
      ) c
    ) counted`,
    [WORKER_ALIVE_SECONDS, BUDGET_WARNING_SHARE],
  )
  return rows[0] as ServiceFacts
}
