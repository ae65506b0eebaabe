import { VERSION } from '@corrigenda/core/base'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { addServiceGauges, Gauge, Histogram, openMetrics } from '@corrigenda/core/metrics'
import type { EventHub } from './event-hub/open-event-hub.ts'
import type { ApiConfig } from './http/config.ts'

/** Maximum duration of the statement that reads the metrics, in ms. */
const STATEMENT_MS = 5_000

export interface ApiMetrics {
  readonly port: number
  /** By `method`, `route` and `status`, in seconds. */
  readonly requestDurations: Pick<Histogram, 'observe'>
  close(): Promise<void>
}

/**
 * Serves the API's metrics. Loaded only if METRICS_PORT is set, because the client library takes
 * memory.
 */
export async function startMetrics(
  config: Pick<ApiConfig, 'databaseUrl' | 'monthlyBudgetUsd' | 'metricsProjectLabel'> & { metricsPort: number },
  deps: { events: Pick<EventHub, 'size' | 'heldBytes'>; pools: Readonly<Record<string, Database['pool']>> },
): Promise<ApiMetrics> {
  const { events, pools } = deps
  const { metricsPort: port, metricsProjectLabel: byProject } = config
  const metrics = await openMetrics({ port, version: VERSION, byProject, pools })
  const registers = [metrics.registry]
  // One connection, so that scrapes wait for each other and never for requests.
  const database = openDatabase({
    url: config.databaseUrl,
    maxConnections: 1,
    statementMs: STATEMENT_MS,
    waitMs: STATEMENT_MS,
    onError: () => {},
  })
  addServiceGauges(metrics.registry, database, config)
  new Gauge({
    name: 'corrigenda_event_streams',
    help: 'Open event streams of this process.',
    registers,
    collect() {
      this.set(events.size)
    },
  })
  new Gauge({
    name: 'corrigenda_event_streams_held_bytes',
    help: 'Bytes that clients have not read yet.',
    registers,
    collect() {
      this.set(events.heldBytes)
    },
  })
  const requestDurations = new Histogram({
    name: 'corrigenda_http_request_duration_seconds',
    help: 'Duration of the requests to this process.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  return {
    port: metrics.port,
    requestDurations,
    async close() {
      await metrics.close()
      await database.close()
    },
  }
}
