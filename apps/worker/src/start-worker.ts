import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import http from 'node:http'
import os from 'node:os'
import { ensurePlatform } from '@corrigenda/agent/model'
import type { ModelKind } from '@corrigenda/contracts'
import { once, openResources, VERSION } from '@corrigenda/core/base'
import { assertMigrated, type Database, openDatabase } from '@corrigenda/core/db'
import { openInstance } from '@corrigenda/core/instance'
import { openConsumer, openQueue, type QueueBackend } from '@corrigenda/core/queue'
import { type Log, openLog } from '@corrigenda/core/runtime'
import { openTracer } from '@corrigenda/core/tracing'
import { startWatchdog } from '@corrigenda/core/watchdog'
import { findOpenWork } from '@corrigenda/core/workers'
import { buildAgents, routeFetch } from '@corrigenda/egress'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildGitAccess } from './config/build-git-hosts.ts'
import { listSecrets, type WorkerConfig } from './config/config.ts'
import { toGitAgents } from './config/git-agents.ts'
import { startConnectionChecks } from './connection-check/start-connection-checks.ts'
import { DEPLOY_LIMITS } from './deploy/deploy-step.ts'
import { startDeployer } from './deploy/start-deployer.ts'
import type { GitAccess } from './git-host/git-access.ts'
import { startHeartbeat, toModelKind } from './heartbeat/start-heartbeat.ts'
import type { WorkerMetrics } from './metrics/start-metrics.ts'
import { startPullRequestPolls } from './pull-request-tracking/start-pull-request-polls.ts'
import { startRetention } from './retention/start-retention.ts'
import { ensureCacheDir } from './run/ensure-cache-dir.ts'
import { watchHeldRuns } from './run/hold-run.ts'
import { ignorePoints, type OnPoint, watchPhases } from './run/run-point.ts'
import { startSweeper, watchOpenWork } from './watch-open-work.ts'
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
    let stoppingAt = performance.now()
    // Added first, so that it runs last on close.
    resources.add(async () => log.info({ ms: Math.round(performance.now() - stoppingAt) }, 'worker stopped'))
    resources.add(await routeFetch(config.proxies))
    const agents = buildAgents(config.proxies, { keepAlive: true })
    const tracer = await openTracer(config.traces, {
      name: 'corrigenda-worker',
      version: VERSION,
      log,
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
      cacheDir: config.cacheDir,
      log,
      childEnv,
      coldBuild: options.coldBuild,
      maxRepositoryBytes,
      childModule: new URL('./fetch-child.js', import.meta.url),
      childData: config.proxies,
      http: { agents: toGitAgents(config.proxies) },
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
    const { prisma } = database
    const { databaseUrl, leaseSeconds, maxAttempts, projectConcurrency } = config
    const { allowedHookHosts, messageQuota, monthlyBudgetUsd, proxies, retention, sweepSeconds } = config
    const owner = `${os.hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
    const git = buildGitAccess(config, { prisma, log }, metrics?.github)
    const access: GitAccess = { ...git, gitHttp: { ...git.gitHttp, ...metrics?.gitHttp } }
    const shared = { prisma, log, owner, shutdown: shutdown.signal }
    // The watchdog is a thread, so it also requires the compiled module.
    if (options.coldBuild === 'child') resources.add(startWatchdog({ url: databaseUrl, owner, leaseSeconds }).stop)
    const deliveries = startDeliveries(buildDeliverDeps({ prisma, webhookKey, log, allowedHookHosts, proxies }), {
      owner,
      shutdown: shutdown.signal,
      pollMs: WOKEN_SECONDS * 1000,
    })
    resources.add(deliveries.stop)
    const loadRuns = once(async () => {
      const { openRunHandler } = await import('./open-run-handler.ts')
      const runs = openRunHandler(
        { ...config, anthropic: { ...config.anthropic, ...metrics?.model } },
        {
          ...shared,
          ...access,
          queue,
          mirrors,
          held,
          tracer,
          onPoint: watchPhases({ log }, options.onPoint ?? ignorePoints, metrics ?? {}),
          onClaim: metrics?.onClaim,
          replacedModels: options.replacedModels,
        },
        // The agent's threads also require the compiled module.
        { hasThreads: options.coldBuild === 'child' },
      )
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
    resources.add(startRetention({ ...shared, seconds: 60 * sweepSeconds, retention }).stop)
    const deployments = startDeployer({
      ...shared,
      ...access,
      leaseSeconds,
      maxAttempts,
      allowedHookHosts,
      proxies,
      deployTargetKey,
      limits: DEPLOY_LIMITS,
      seconds: WOKEN_SECONDS,
    })
    resources.add(deployments.stop)
    const connectionChecks = startConnectionChecks({ ...shared, ...access, deployTargetKey, seconds: WOKEN_SECONDS })
    resources.add(connectionChecks.stop)
    const pullRequests = startPullRequestPolls({
      ...shared,
      ...access,
      queue,
      messageQuota,
      monthlyBudgetUsd,
      seconds: WOKEN_SECONDS,
    })
    resources.add(pullRequests.stop)
    // Often, because users wait for the results of connection checks.
    const openWork = watchOpenWork(
      { prisma, log, seconds: sweepSeconds },
      { deliveries, deployments, connectionChecks, pullRequests },
    )
    resources.add(openWork.stop)
    const sweeper = startSweeper({
      prisma,
      log,
      queue,
      maxAttempts,
      projectConcurrency,
      ...(options.replacedModels && { replacedModels: options.replacedModels }),
      seconds: sweepSeconds,
      hasRuns: openWork.hasRuns,
    })
    resources.add(sweeper.stop)
    const description = {
      id: owner,
      host: os.hostname(),
      pid: process.pid,
      version: VERSION,
      modelKind: options.modelKind ?? toModelKind(config.anthropic.baseUrl),
      modelBaseUrl: config.anthropic.baseUrl,
      models: [...new Set(config.configuredModels)],
      slots: config.concurrency,
      queue: backend.kind,
    }
    resources.add(startHeartbeat({ prisma, log }, description, () => busy).stop)
    // Added last, so that it runs first on close and releases running jobs while everything else is
    // still open.
    resources.add(async () => {
      stoppingAt = performance.now()
      log.info({ owner, runs: busy }, 'worker stopping')
      shutdown.abort()
    })
    log.info({ owner, concurrency: config.concurrency, queue: backend.kind }, 'worker started')
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
  return openLog({ level: config.logLevel, format: config.logFormat, secrets: listSecrets(config), name: 'worker' })
}

/**
 * Starts a health endpoint for orchestrators. It responds with 200 while the worker can reach its
 * database and with 503 while it cannot.
 */
async function startHealth(port: number, { prisma }: Pick<Database, 'prisma'>): Promise<{ close(): Promise<void> }> {
  const server = http.createServer(async (_request, response) => {
    const ready = await prisma.instance.count().then(
      () => true,
      () => false,
    )
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(ready ? { status: 'ready' } : { error: 'The database is unreachable.' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, () => resolve())
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
