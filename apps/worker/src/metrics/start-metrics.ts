import { statfs } from 'node:fs/promises'
import type { CallModelOptions } from '@corrigenda/agent/model'
import { VERSION } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { Counter, Gauge, Histogram, openMetrics, type Registry } from '@corrigenda/core/metrics'
import type { HttpPolicy } from '@corrigenda/git/mirror'
import type { WorkerConfig } from '../config/config.ts'

export interface WorkerMetrics {
  readonly port: number
  /** Options that count the calls to the model. */
  readonly model: Pick<CallModelOptions, 'fetch' | 'onRetry'>
  /** Options that count the calls to the Git host's API. */
  readonly github: { readonly fetch: typeof fetch }
  /** Options that count the requests of the Git protocol, except for downloads. */
  readonly gitHttp: Pick<HttpPolicy, 'onAnswer'>
  onClaim(claim: { readonly waitedMs: number; readonly attempt: number }): void
  onPhase(phase: string, seconds: number): void
  close(): Promise<void>
}

/**
 * Serves a worker's metrics. Loaded only if METRICS_PORT is set, because the client library takes
 * memory.
 * @param deps.countBusy number of runs that this process works on
 */
export async function startMetrics(
  config: Pick<WorkerConfig, 'metricsProjectLabel' | 'cacheDir' | 'concurrency'> & { readonly metricsPort: number },
  deps: Pick<Database, 'pool'> & { countBusy(): number },
): Promise<WorkerMetrics> {
  const metrics = await openMetrics({
    port: config.metricsPort,
    version: VERSION,
    byProject: config.metricsProjectLabel,
    pools: { runs: deps.pool },
  })
  const registers = [metrics.registry]
  addCacheDisk(metrics.registry, config.cacheDir)
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('corrigenda_worker_runs', 'Runs that this worker works on.', deps.countBusy)
  gauge('corrigenda_worker_runs_max', 'Runs that this worker can work on at a time.', () => config.concurrency)
  const pickup = new Histogram({
    name: 'corrigenda_run_pickup_seconds',
    help: 'Time from the creation of a run to its first claim.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
    registers,
  })
  const phases = new Histogram({
    name: 'corrigenda_run_phase_duration_seconds',
    help: 'Duration of the phases of attempts.',
    labelNames: ['phase'],
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200],
    registers,
  })
  const modelTime = new Histogram({
    name: 'corrigenda_model_response_seconds',
    help: 'Time until the model API started to respond.',
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  })
  const count = (name: string, help: string, labelNames: string[]) => new Counter({ name, help, labelNames, registers })
  const modelCalls = count('corrigenda_model_requests_total', 'Requests to the model API.', ['status'])
  const modelRetries = count('corrigenda_model_retries_total', 'Repeated requests to the model API.', ['code'])
  const hostCalls = count('corrigenda_git_host_requests_total', 'Requests to the Git host.', ['protocol', 'status'])
  return {
    port: metrics.port,
    model: {
      fetch: countFetch(globalThis.fetch, (status, seconds) => {
        modelCalls.inc({ status })
        modelTime.observe(seconds)
      }),
      onRetry: ({ code }) => modelRetries.inc({ code }),
    },
    github: { fetch: countFetch(globalThis.fetch, (status) => hostCalls.inc({ protocol: 'rest', status })) },
    gitHttp: { onAnswer: (status) => hostCalls.inc({ protocol: 'git', status: String(status ?? 'error') }) },
    onClaim: ({ waitedMs, attempt }) => attempt === 1 && pickup.observe(waitedMs / 1000),
    onPhase: (phase, seconds) => phases.observe({ phase }, seconds),
    close: metrics.close,
  }
}

/** Reports the space of the file system that holds the cache. */
function addCacheDisk(registry: Registry, cacheDir: string): void {
  const registers = [registry]
  const add = (name: string, help: string, read: (disk: { bsize: number; blocks: number; bavail: number }) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const disk = await statfs(cacheDir).catch(() => null)
        if (disk === null) this.remove()
        else this.set(read(disk))
      },
    })
  const name = 'corrigenda_cache_filesystem'
  add(`${name}_size_bytes`, 'Size of the file system of CACHE_DIR.', ({ blocks, bsize }) => blocks * bsize)
  add(`${name}_free_bytes`, 'Free space of the file system of CACHE_DIR.', ({ bavail, bsize }) => bavail * bsize)
}

/** HTTP status of the response. `aborted` or `error` if the request failed without a response. */
type OnFetched = (status: string, seconds: number) => void

/** Wraps a `fetch` so that it reports each response when its headers have arrived. */
function countFetch(send: typeof fetch, onFetched: OnFetched): typeof fetch {
  return async (input, init) => {
    const start = performance.now()
    const report = (status: string) => onFetched(status, (performance.now() - start) / 1000)
    try {
      const response = await send(input, init)
      report(String(response.status))
      return response
    } catch (error) {
      report(init?.signal?.aborted ? 'aborted' : 'error')
      throw error
    }
  }
}
