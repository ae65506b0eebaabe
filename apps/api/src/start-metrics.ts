import { VERSION } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { openDatabase } from '@corrigenda/core/db'
import { addHistogram, addPool, addServiceFacts, Gauge, openMetrics } from '@corrigenda/core/metrics'
import type { EventHub } from './event-hub/open-event-hub.ts'
import type { ApiConfig } from './http/config.ts'
import { REQUEST_BUCKETS, type RequestWatch } from './http/watch-requests.ts'

/** Maximum duration of the statement that reads the metrics, in ms. */
const STATEMENT_MS = 5_000

export interface ApiMetricsDeps {
  readonly requests: RequestWatch
  readonly events: Pick<EventHub, 'size' | 'heldBytes'>
  readonly pools: Readonly<Record<string, Database['pool']>>
}

/**
 * Serves the API's metrics. Loaded only if METRICS_PORT is set, because the client library takes
 * memory.
 */
export async function startMetrics(
  config: Pick<ApiConfig, 'databaseUrl' | 'monthlyBudgetUsd' | 'metricsProjectLabel'> & { metricsPort: number },
  { requests, events, pools }: ApiMetricsDeps,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const metrics = await openMetrics({ port: config.metricsPort, version: VERSION })
  const { registry } = metrics
  // One connection, so that scrapes wait for each other and never for requests.
  const database = openDatabase({
    ...{ url: config.databaseUrl, maxConnections: 1, statementMs: STATEMENT_MS, waitMs: STATEMENT_MS },
    onError: () => {},
  })
  addServiceFacts(registry, database, { ...config, byProject: config.metricsProjectLabel })
  addPool(registry, pools)
  addHistogram(registry, {
    name: 'corrigenda_http_request_duration_seconds',
    help: 'Duration of the requests to this process.',
    buckets: REQUEST_BUCKETS,
    read: () => requests.read(),
  })
  const registers = [registry]
  new Gauge({
    ...{ name: 'corrigenda_event_streams', help: 'Open event streams of this process.', registers },
    collect() {
      this.set(events.size)
    },
  })
  new Gauge({
    ...{ name: 'corrigenda_event_streams_held_bytes', help: 'Bytes that clients have not read yet.', registers },
    collect() {
      this.set(events.heldBytes)
    },
  })
  return {
    port: metrics.port,
    async close() {
      await metrics.close()
      await database.close()
    },
  }
}
