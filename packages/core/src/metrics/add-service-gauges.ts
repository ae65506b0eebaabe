import { BUDGET_WARNING_SHARE, WORKER_ALIVE_SECONDS } from '@corrigenda/contracts'
import { Gauge, type Registry } from 'prom-client'
import type { PoolDeps } from '../db/open-database.ts'

/** Metrics by their column in {@link STATEMENT}. */
const GAUGES: Readonly<Record<string, readonly [name: string, help: string]>> = {
  queued: ['corrigenda_queue_runs', 'Runs that wait for a worker, including those scheduled for a later retry.'],
  due: ['corrigenda_queue_due_runs', 'Runs that wait for a worker and could start now.'],
  active: ['corrigenda_active_runs', 'Runs that a worker holds.'],
  oldest_wait: ['corrigenda_queue_oldest_wait_seconds', 'Time for which the oldest due run has waited.'],
  workers: ['corrigenda_workers_alive', 'Workers with a recent heartbeat.'],
  slots: ['corrigenda_worker_slots', 'Runs that these workers can work on at a time.'],
  busy: ['corrigenda_worker_slots_busy', 'Runs that these workers work on.'],
  spent: ['corrigenda_monthly_spend_dollars', 'Model costs of this month (UTC) in US dollars.'],
  near_budget: ['corrigenda_projects_near_budget', 'Projects that have used 80% of their monthly budget.'],
  database_bytes: ['corrigenda_database_size_bytes', 'Size of the database.'],
  connections: ['corrigenda_database_connections', 'Client connections of the Postgres server.'],
  max_connections: ['corrigenda_database_connections_max', 'Limit on the connections of the Postgres server.'],
}

/** Its cost depends on the number of active runs, workers and projects, but not on the number of jobs. */
const STATEMENT = `SELECT r.*, w.*, spend.*, server.* FROM (
  SELECT count(*) FILTER (WHERE NOT held)::int AS queued,
    count(*) FILTER (WHERE NOT held AND next_run_at <= clock_timestamp())::int AS due,
    count(*) FILTER (WHERE held)::int AS active,
    greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(next_run_at) FILTER (WHERE NOT held)), 0))::float8
      AS oldest_wait
  FROM (SELECT next_run_at, coalesce(lease_until > clock_timestamp(), false) AS held FROM runs WHERE active) each_run
) r, (
  SELECT count(*)::int AS workers, coalesce(sum(slots), 0)::int AS slots, coalesce(sum(busy), 0)::int AS busy
  FROM workers WHERE seen_at > clock_timestamp() - make_interval(secs => $1)
) w, (
  SELECT coalesce((SELECT cost_usd FROM instance_spend s WHERE s.month = m.month), 0)::float8 AS spent, (
      SELECT count(*)::int FROM project_spend s JOIN projects p ON p.id = s.project_id
      WHERE s.month = m.month AND s.cost_usd >= p.monthly_budget_usd * $2::numeric AND p.deleted_at IS NULL
    ) AS near_budget
  FROM (SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date AS month) m
) spend, (
  SELECT pg_database_size(current_database())::float8 AS database_bytes,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('max_connections')::int AS max_connections
) server`

/**
 * Adds gauges that are read from the database at the time of the scrape, with one statement. While
 * the database cannot be read, they are absent, except for `corrigenda_database_up`.
 * @param input.monthlyBudgetUsd budget of the instance for each calendar month, or null for no budget
 */
export function addServiceGauges(
  registry: Registry,
  { pool }: PoolDeps,
  { monthlyBudgetUsd }: { readonly monthlyBudgetUsd: number | null },
): void {
  // The metrics of a scrape are collected at the same time and share the statement.
  let reading: Promise<Record<string, number> | null> | null = null
  const read = () => {
    reading ??= pool
      .query<Record<string, number>>(STATEMENT, [WORKER_ALIVE_SECONDS, BUDGET_WARNING_SHARE])
      .then(({ rows }) => rows[0] ?? null)
      .catch(() => null)
      .finally(() => {
        reading = null
      })
    return reading
  }
  const addGauge = (
    name: string,
    help: string,
    toValue: (facts: Record<string, number> | null) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = toValue(await read())
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  for (const [column, [name, help]] of Object.entries(GAUGES)) addGauge(name, help, (facts) => facts?.[column])
  addGauge('corrigenda_database_up', 'Whether the metrics could be read from the database.', (facts) => (facts ? 1 : 0))
  if (monthlyBudgetUsd !== null) {
    const help = 'Monthly budget of the instance in US dollars.'
    addGauge('corrigenda_monthly_budget_dollars', help, (facts) => (facts ? monthlyBudgetUsd : undefined))
  }
}
