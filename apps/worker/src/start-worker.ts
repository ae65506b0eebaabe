import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import os from 'node:os'
import { ensurePlatform } from '@corrigenda/agent/model'
import type { ModelKind } from '@corrigenda/contracts'
import { once, openResources } from '@corrigenda/core/base'
import { assertMigrated, type Database, openDatabase } from '@corrigenda/core/db'
import { openInstance } from '@corrigenda/core/instance'
import { openConsumer, openQueue, type QueueBackend } from '@corrigenda/core/queue'
import { type Log, openLog } from '@corrigenda/core/runtime'
import { openTracer } from '@corrigenda/core/tracing'
import { startWatchdog } from '@corrigenda/core/watchdog'
import { findOpenWork } from '@corrigenda/core/workers'
import { buildAgents, routeFetch } from '@corrigenda/egress'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildServiceDeps, type ServiceDeps } from './build-service-deps.ts'
import { listSecrets, type WorkerConfig } from './config/config.ts'
import { VERSION } from './config/version.ts'
import { startConnectionChecks } from './connection-check/start-connection-checks.ts'
import { DEPLOY_LIMITS } from './deploy/deploy-step.ts'
import { startDeployer } from './deploy/start-deployer.ts'
import { startHeartbeat } from './heartbeat/start-heartbeat.ts'
import { toModelKind } from './heartbeat/to-model-kind.ts'
import type { WorkerMetrics } from './metrics/start-metrics.ts'
import { startPullRequestPolls } from './pull-request-tracking/start-pull-request-polls.ts'
import { startRetention } from './retention/start-retention.ts'
import { ensureCacheDir } from './run/ensure-cache-dir.ts'
import { watchHeldRuns } from './run/hold-run.ts'
import { ignorePoints, type OnPoint } from './run/run-point.ts'
import { startSweeper } from './run/start-sweeper.ts'
import { watchPhases } from './run/watch-phases.ts'
import { startHealth } from './start-health.ts'
import { watchOpenWork } from './watch-open-work.ts'
import { buildDeliverDeps, startDeliveries } from './webhooks/start-deliveries.ts'

/** Interval of the loops that the watch of open work wakes. */
const WOKEN_SECONDS = 120

export interface RunningWorker {
  /**
   * Releases running jobs immediately, without using up an attempt, and closes everything the
   * worker opened. May be called repeatedly.
   */
  close(): Promise<void>
}

/**
 * Opens a worker's dependencies and starts consuming the queue. If a dependency cannot be opened,
 * closes those already open.
 * @param options.onPoint called when a run reaches a `RunPoint`; for crash tests
 * @param options.modelKind model kind, if it cannot be determined from the URL
 * @param options.replacedModels models of stored jobs that this worker replaces, by model id
 * @param options.coldBuild where a repository's first download runs; `inline` only if the compiled
 * module is not available, in which case the worker has no other threads and processes either
 */
export function startWorker(
  config: WorkerConfig,
  log: Log = openWorkerLog(config),
  options: {
    coldBuild: 'child' | 'inline'
    onPoint?: OnPoint
    modelKind?: ModelKind
    replacedModels?: Readonly<Record<string, string>>
  } = { coldBuild: 'child' },
): Promise<RunningWorker> {
  const warn = (error: Error) => log.warn({ reason: error.message }, 'resource did not close')
  return openResources(warn, async (resources) => {
    resources.add(await routeFetch(config.proxies))
    const agents = buildAgents(config.proxies, { keepAlive: true })
    const tracer = await openTracer(config.traces, {
      ...{ name: 'corrigenda-worker', version: VERSION, log },
      toAgent: (protocol) => (protocol === 'https:' ? agents.https : agents.http),
    })
    if (tracer !== null) resources.add(tracer.close)
    await ensurePlatform(config.anthropic.platform ?? null)
    const database = openDatabase({
      url: config.databaseUrl,
      maxConnections: config.concurrency + 4,
      onError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
    })
    resources.add(database.close)
    await assertMigrated(database)
    const { webhookKey, deployTargetKey } = await openInstance(database, config)
    const backend: QueueBackend = config.redis
      ? { kind: 'redis', ...config.redis }
      : { kind: 'postgres', url: config.databaseDirectUrl }
    const queue = openQueue({ backend, log })
    resources.add(queue.close)
    await ensureCacheDir(config.cacheDir)
    const childEnv: Record<string, string> =
      config.extraCaCerts === null ? {} : { NODE_EXTRA_CA_CERTS: config.extraCaCerts }
    const { maxBytes: maxRepositoryBytes, maxEntries } = config.repositoryLimits
    const mirrors = await openMirrors({
      ...{ cacheDir: config.cacheDir, log, childEnv, coldBuild: options.coldBuild, maxRepositoryBytes },
      http: { proxies: config.proxies },
      limits: { tree: { maxEntries } },
    })
    resources.add(mirrors.close)
    let closeRuns = async () => {}
    resources.add(() => closeRuns())
    if (config.healthPort !== null) resources.add((await startHealth(config.healthPort, database)).close)
    let busy = 0
    const metrics = await openMetrics(config, { ...database, countBusy: () => busy })
    if (metrics !== null) {
      resources.add(metrics.close)
      log.info({ port: metrics.port }, 'metrics listening')
    }
    const shutdown = new AbortController()
    // Every running job adds several listeners to this signal.
    setMaxListeners(0, shutdown.signal)
    const held = watchHeldRuns({ ...database, log })
    resources.add(held.close)
    const deps: ServiceDeps = {
      ...buildServiceDeps(config, {
        prisma: database.prisma,
        owner: `${os.hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`,
        shutdown: shutdown.signal,
        ...{ queue, log, held, mirrors },
        ...(metrics === null ? {} : { github: metrics.github }),
      }),
      onPoint: watchPhases({ log }, options.onPoint ?? ignorePoints, metrics ?? {}),
      ...(metrics === null ? {} : { gitHttp: metrics.gitHttp, onClaim: metrics.onClaim }),
      ...(options.replacedModels ? { replacedModels: options.replacedModels } : {}),
      tracer,
    }
    const { databaseUrl: url, leaseSeconds } = config
    // The watchdog is a thread, so it also requires the compiled module.
    if (options.coldBuild === 'child') resources.add(startWatchdog({ url, owner: deps.owner, leaseSeconds }).stop)
    const { prisma } = database
    const { allowedHookHosts, proxies } = config
    const deliverDeps = buildDeliverDeps({ prisma, webhookKey, log, allowedHookHosts, proxies })
    const deliveries = startDeliveries(deliverDeps, { ...deps, pollMs: WOKEN_SECONDS * 1000 })
    resources.add(deliveries.stop)
    const loadRuns = once(async () => {
      const { openRunHandler } = await import('./open-run-handler.ts')
      // The agent's threads also require the compiled module.
      const withMetrics = { ...config, anthropic: { ...config.anthropic, ...metrics?.model } }
      const runs = openRunHandler(withMetrics, deps, { hasThreads: options.coldBuild === 'child' })
      closeRuns = runs.close
      return runs
    })
    const handle = async (lockLost: AbortSignal) => {
      busy += 1
      try {
        await (await loadRuns()).handle(lockLost)
      } finally {
        busy -= 1
      }
    }
    // A worker that starts while runs are active is likely to get one. The loading would delay it.
    if ((await findOpenWork(database)).runs) await loadRuns()
    const consumer = await openConsumer({ backend, concurrency: config.concurrency, handle, log })
    resources.add(consumer.close)
    resources.add(startRetention({ ...deps, seconds: 60 * config.sweepSeconds, retention: config.retention }).stop)
    const deploying = { ...deps, allowedHookHosts, proxies, deployTargetKey, limits: DEPLOY_LIMITS }
    const deployments = startDeployer({ ...deploying, seconds: WOKEN_SECONDS })
    resources.add(deployments.stop)
    const connectionChecks = startConnectionChecks({ ...deps, deployTargetKey, seconds: WOKEN_SECONDS })
    resources.add(connectionChecks.stop)
    const pullRequests = startPullRequestPolls({ ...deps, seconds: WOKEN_SECONDS })
    resources.add(pullRequests.stop)
    const loops = { deliveries, deployments, connectionChecks, pullRequests }
    // Often, because users wait for the results of connection checks.
    const openWork = watchOpenWork({ prisma, log, seconds: config.sweepSeconds }, loops)
    resources.add(openWork.stop)
    resources.add(startSweeper({ ...deps, seconds: config.sweepSeconds, hasRuns: openWork.hasRuns }).stop)
    const model = {
      modelKind: options.modelKind ?? toModelKind(config.anthropic.baseUrl),
      modelBaseUrl: config.anthropic.baseUrl,
      models: [...new Set(config.configuredModels)],
    }
    const identity = { id: deps.owner, host: os.hostname(), pid: process.pid, version: VERSION }
    const description = { ...identity, ...model, slots: config.concurrency, queue: backend.kind }
    resources.add(startHeartbeat({ prisma, log }, description, () => busy).stop)
    // Added last, so that it runs first on close and releases running jobs while everything else is
    // still open.
    resources.add(async () => shutdown.abort())
    log.info({ owner: deps.owner, concurrency: config.concurrency, queue: backend.kind }, 'worker started')
    return {}
  })
}

/** The library is loaded only if metrics are served, because it takes memory. */
async function openMetrics(
  { metricsPort, ...config }: WorkerConfig,
  deps: Pick<Database, 'pool'> & { countBusy(): number },
): Promise<WorkerMetrics | null> {
  if (metricsPort === null) return null
  const { startMetrics } = await import('./metrics/start-metrics.ts')
  return startMetrics({ ...config, metricsPort }, deps)
}

export function openWorkerLog(config: WorkerConfig): Log {
  return openLog({ level: config.logLevel, secrets: listSecrets(config), name: 'worker' })
}
