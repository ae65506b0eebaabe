import http from 'node:http'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { EVENT_COUNTERS, type EventCounter, isCounting, setCounting } from './count-event.ts'

export interface Metrics {
  readonly registry: Registry
  /** Port that the endpoint listens on. */
  readonly port: number
  close(): Promise<void>
}

export interface MetricsInput {
  /** 0 selects a free port. */
  readonly port: number
  readonly version: string
  /** Adds the label `project` to the counters of events. */
  readonly byProject: boolean
  readonly pools: Readonly<Record<string, Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>>
}

/**
 * Serves the metrics of this process at `/metrics`, in the text format of Prometheus: its events, its
 * database connections, and the standard metrics of a process, such as its memory and event loop
 * delay. The endpoint has no authentication. If the process has several endpoints, the first one
 * serves the events, so that no sum counts them twice.
 */
export async function openMetrics({ port, version, byProject, pools }: MetricsInput): Promise<Metrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const info = { name: 'corrigenda_build_info', help: 'Version of this process. Always 1.', labelNames: ['version'] }
  new Gauge({ ...info, registers: [registry] }).set({ version }, 1)
  addPools(registry, pools)
  const stopCounting = countEvents(registry, byProject)
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('Not found. The metrics are at /metrics.\n')
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: Error) => response.writeHead(500).end(`The metrics could not be collected: ${error.message}.\n`),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => resolve())
  })
  const address = server.address()
  return {
    registry,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        stopCounting()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Adds the counters of events, unless another endpoint of this process has them. */
export function countEvents(registry: Registry, byProject: boolean): () => void {
  if (isCounting()) return () => {}
  const counters = Object.entries(EVENT_COUNTERS).map(([name, { help, labels }]) => {
    const labelNames = byProject ? ['project', ...labels] : labels
    return [name, new Counter({ name, help, labelNames, registers: [registry] })] as const
  })
  setCounting({ byProject, counters: Object.fromEntries(counters) as Record<EventCounter, Counter> })
  return () => setCounting(null)
}

/** Reports how many connections of each pool are in use or idle, and how many requests wait for one. */
function addPools(registry: Registry, pools: MetricsInput['pools']): void {
  new Gauge({
    name: 'corrigenda_pool_connections',
    help: 'Database connections of this process, and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        // A request that an idle connection takes in the next tick does not wait.
        this.set({ pool, state: 'waiting' }, Math.max(waitingCount - idleCount, 0))
      }
    },
  })
}
