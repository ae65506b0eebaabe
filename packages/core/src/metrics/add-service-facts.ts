import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/open-database.ts'
import { COUNT_METRICS, type CountMetric } from './count-metrics.ts'
import { readServiceFacts, type ServiceFacts } from './read-service-facts.ts'

/** Time for which scrapes share one statement. */
const CACHE_MS = 3_000

export interface ServiceFactsInput {
  /** Adds the label `project` to the counters. */
  readonly byProject: boolean
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
}

type Read = () => Promise<ServiceFacts | null>

const GAUGES: Readonly<Record<Exclude<keyof ServiceFacts, 'counts'>, readonly [name: string, help: string]>> = {
  queued: ['corrigenda_queue_runs', 'Runs that wait for a worker, including those scheduled for a later retry.'],
  due: ['corrigenda_queue_due_runs', 'Runs that wait for a worker and could start now.'],
  active: ['corrigenda_active_runs', 'Runs that a worker holds.'],
  oldestWait: ['corrigenda_queue_oldest_wait_seconds', 'Time for which the oldest due run has waited.'],
  workers: ['corrigenda_workers_alive', 'Workers with a recent heartbeat.'],
  slots: ['corrigenda_worker_slots', 'Runs that these workers can work on at a time.'],
  busy: ['corrigenda_worker_slots_busy', 'Runs that these workers work on.'],
  spent: ['corrigenda_monthly_spend_dollars', 'Model costs of this month (UTC) in US dollars.'],
  projectsNearBudget: ['corrigenda_projects_near_budget', 'Projects that have used 80% of their monthly budget.'],
  databaseBytes: ['corrigenda_database_size_bytes', 'Size of the database.'],
  connections: ['corrigenda_database_connections', 'Client connections of the Postgres server.'],
  maxConnections: ['corrigenda_database_connections_max', 'Limit on the connections of the Postgres server.'],
}

/**
 * Adds metrics that are read from the database at the time of the scrape, with one statement. While
 * the database cannot be read, they are absent, except for `corrigenda_database_up`.
 */
export function addServiceFacts(registry: Registry, deps: Pick<Database, 'pool'>, input: ServiceFactsInput): void {
  const read = shareReads(() => readServiceFacts(deps, input))
  const registers = [registry]
  const gauge = (name: string, help: string, toValue: (facts: ServiceFacts | null) => number | null) =>
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        const value = toValue(await read())
        if (value === null) this.remove()
        else this.set(value)
      },
    })
  for (const [key, [name, help]] of Object.entries(GAUGES)) {
    gauge(name, help, (facts) => facts?.[key as keyof typeof GAUGES] ?? null)
  }
  gauge('corrigenda_database_up', 'Whether the metrics could be read from the database.', (facts) => (facts ? 1 : 0))
  const { monthlyBudgetUsd } = input
  if (monthlyBudgetUsd !== null) {
    gauge('corrigenda_monthly_budget_dollars', 'Monthly budget of the instance in US dollars.', () => monthlyBudgetUsd)
  }
  for (const [metric, definition] of Object.entries(COUNT_METRICS))
    addCounter(registers, read, { metric, definition, ...input })
}

function addCounter(
  registers: Registry[],
  read: Read,
  { metric, definition, byProject }: { metric: string; definition: CountMetric; byProject: boolean },
): void {
  const [label, detail] = definition.labels
  const labelNames = [...(byProject ? ['project'] : []), ...definition.labels.filter((one) => one !== undefined)]
  new Counter({
    ...{ name: definition.name, help: definition.help, labelNames, registers },
    async collect() {
      const facts = await read()
      this.reset()
      // A reset counter without labels is 0, which is not known here.
      if (facts === null && labelNames.length === 0) this.remove()
      for (const row of facts?.counts ?? []) {
        if (row.metric !== metric) continue
        const labels = {
          ...(byProject ? { project: row.project ?? '' } : {}),
          ...(label === undefined ? {} : { [label]: row.label }),
          ...(detail === undefined ? {} : { [detail]: row.detail }),
        }
        this.inc(labels, row.value * (definition.unit ?? 1))
      }
    },
  })
}

/** Shares one read between all metrics of a scrape, and between scrapes that follow each other. */
function shareReads(readFacts: () => Promise<ServiceFacts>): Read {
  let reading: Promise<ServiceFacts | null> | null = null
  let startedAt = 0
  return () => {
    if (reading === null || performance.now() - startedAt > CACHE_MS) {
      startedAt = performance.now()
      reading = readFacts().catch(() => null)
    }
    return reading
  }
}
