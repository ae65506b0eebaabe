import { type AccountDeps, applyGroupRules, getSetupToken, isSetUp } from '@corrigenda/core/accounts'
import { openResources, VERSION } from '@corrigenda/core/base'
import { assertMigrated, openDatabase, openMonitor } from '@corrigenda/core/db'
import { isWeakSecret, openInstance, watchActivation } from '@corrigenda/core/instance'
import { findProxyWarning } from '@corrigenda/core/keys'
import { openQueue, type QueueBackend } from '@corrigenda/core/queue'
import { type Log, listServiceSecrets, openLog } from '@corrigenda/core/runtime'
import { openTracer } from '@corrigenda/core/tracing'
import { buildAgents, listProxySecrets, routeFetch } from '@corrigenda/egress'
import { buildApp } from './app.ts'
import { findBuiltDashboard } from './dashboard/pages/dashboard-pages.ts'
import { openEventHub } from './event-hub/open-event-hub.ts'
import type { ApiConfig } from './http/config.ts'
import type { ApiDeps } from './http/deps.ts'
import type { ApiMetrics } from './start-metrics.ts'

/**
 * Limits of requests, in ms. Postgres ends a statement and undoes its transaction before the time
 * limit of the monitor, after which the outcome of a write is unknown.
 */
const REQUEST = { statementMs: 10_000, lockMs: 5_000, waitMs: 10_000 }
const SEARCH = { connections: 3, statementMs: 3_000, waitMs: 5_000 }

/** The models of new jobs. */
export type ModelSettings = Pick<ApiConfig, 'model' | 'allowedModels' | 'modelAliases'>

export interface RunningApi {
  /** URL that the API listens on, such as http://127.0.0.1:8080. */
  readonly url: string
  /** Stops accepting requests, finishes those in progress, then closes the API's resources. */
  close(): Promise<void>
}

/**
 * Opens the API's resources and starts listening. If one resource cannot be opened, the others are
 * closed.
 * @param options.patience database timeouts; changed only in tests, where slow responses on a busy
 *   machine must not count as an outage
 * @param options.connectModel connects the demo's worker to a real model, and returns the settings
 *   for new jobs; only in the demo
 */
export function startApi(
  config: ApiConfig,
  log: Log = openApiLog(config),
  options: {
    patience?: { limitMs: number; workLimitMs: number }
    connectModel?: ((apiKey: string) => Promise<ModelSettings>) | undefined
  } = {},
): Promise<RunningApi> {
  const warn = (error: Error) => log.warn({ reason: error.message }, 'closing a resource failed')
  return openResources(warn, async (resources) => {
    let stoppingAt = performance.now()
    // Added first, so that it runs last on close.
    resources.add(async () => log.info({ ms: Math.round(performance.now() - stoppingAt) }, 'api stopped'))
    resources.add(await routeFetch(config.proxies))
    const agents = buildAgents(config.proxies, { keepAlive: true })
    const tracer = await openTracer(config.traces, {
      name: 'corrigenda-api',
      version: VERSION,
      log,
      toAgent: (protocol) => (protocol === 'https:' ? agents.https : agents.http),
    })
    if (tracer !== null) resources.add(tracer.close)
    const database = openDatabase({
      url: config.databaseUrl,
      maxConnections: config.databaseConnections,
      ...REQUEST,
      onError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
    })
    resources.add(database.close)
    await assertMigrated(database)
    const { authKey, otherAuthKey, previousFingerprint, ...secrets } = await openInstance(database, config)
    let authKeys = { authKey, otherAuthKey }
    if (previousFingerprint !== null && otherAuthKey !== null) {
      const activate = () => {
        authKeys = { authKey: otherAuthKey, otherAuthKey: authKey }
        log.info('database uses the new secret')
      }
      resources.add(watchActivation(database, previousFingerprint, activate))
    }
    // Searches have their own few connections and a short limit, so that they cannot occupy the
    // connections of other requests.
    const search = openDatabase({
      url: config.databaseUrl,
      maxConnections: SEARCH.connections,
      statementMs: SEARCH.statementMs,
      waitMs: SEARCH.waitMs,
      onError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
    })
    resources.add(search.close)
    const probe = openDatabase({
      url: config.databaseUrl,
      maxConnections: 1,
      waitMs: SEARCH.waitMs,
      onError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
    })
    resources.add(probe.close)
    const backend: QueueBackend = config.redis
      ? { kind: 'redis', ...config.redis }
      : { kind: 'postgres', url: config.databaseDirectUrl }
    const queue = openQueue({ backend, log })
    resources.add(queue.close)
    const monitor = openMonitor({
      url: config.databaseUrl,
      ...options.patience,
      countBytes: database.countBytes,
      onChange: (reason) =>
        reason === null ? log.info('database connection restored') : log.error({ reason }, 'database unreachable'),
    })
    resources.add(monitor.close)
    const events = openEventHub(
      { prisma: database.prisma, log, sessionMaxDays: config.sessionMaxDays },
      { databaseUrl: config.databaseDirectUrl, maxStreams: config.maxEventStreams },
    )
    resources.add(events.close)
    const { metricsPort } = config
    let metrics: ApiMetrics | null = null
    if (metricsPort !== null) {
      const { startMetrics } = await import('./start-metrics.ts')
      const pools = { requests: database.pool, search: search.pool }
      metrics = await startMetrics({ ...config, metricsPort }, { events, pools })
      resources.add(metrics.close)
      log.info({ port: metrics.port }, 'metrics listening')
    }
    let listening: string | null = null
    let models: ModelSettings = config
    let { connectModel = null } = options
    const deps: ApiDeps = {
      prisma: database.prisma,
      pool: database.pool,
      search,
      probe,
      queue,
      board: queue,
      monitor,
      events,
      log,
      ...secrets,
      get authKey() {
        return authKeys.authKey
      },
      get otherAuthKey() {
        return authKeys.otherAuthKey
      },
      githubApiUrl: config.githubApiUrl,
      // The configured port can be 0, so the actual port is known only after listening.
      get publicUrl() {
        return config.publicUrl ?? `http://localhost:${listening ?? config.port}`
      },
      signIn: config.signIn,
      demoSignIn: config.demoSignIn,
      allowedRepositoryHosts: config.allowedRepositoryHosts,
      allowedHookHosts: config.allowedHookHosts,
      corsOrigins: config.corsOrigins,
      get connectModel() {
        const connect = connectModel
        if (connect === null) return null
        return async (apiKey: string) => {
          models = await connect(apiKey)
          connectModel = null
        }
      },
      get defaultModel() {
        return models.model
      },
      get allowedModels() {
        return models.allowedModels
      },
      get modelAliases() {
        return models.modelAliases
      },
      quota: config.quota,
      messageQuota: config.messageQuota,
      monthlyBudgetUsd: config.monthlyBudgetUsd,
      edgeRateLimit: config.edgeRateLimit,
      sessionMaxDays: config.sessionMaxDays,
      callerRateLimit: config.callerRateLimit,
      failedAuthRateLimit: config.failedAuthRateLimit,
      trustProxy: config.trustProxy,
      githubWebhookSecret: config.githubWebhookSecret,
      gitWebhookSecret: config.gitWebhookSecret,
      tracer,
      dashboardDir: findBuiltDashboard(),
      requestDurations: metrics?.requestDurations ?? null,
    }
    const rules = config.signIn.oidc?.groups?.rules ?? { admins: [], roles: [] }
    const { missingProjects } = await applyGroupRules(database, rules)
    if (missingProjects.length > 0) log.warn({ projects: missingProjects }, 'OIDC_GROUP_ROLES names unknown projects')
    const app = await buildApp(deps)
    resources.add(() => app.close())
    const url = await app.listen({ host: config.host, port: config.port })
    listening = new URL(url).port || null
    if (!config.demoSignIn)
      await logSetupToken({ prisma: database.prisma, authKey: authKeys.authKey, log, publicUrl: deps.publicUrl })
    const warning = await findProxyWarning(database, config)
    if (warning !== null) log.warn(warning)
    if (isWeakSecret(config.secret)) {
      log.warn(
        'CORRIGENDA_SECRET is not random enough. Replace it with "corrigenda secret rotate": see docs/running.md.',
      )
    }
    log.info({ url, queue: backend.kind }, 'api listening')
    // Added last, so that it runs first on close.
    resources.add(async () => {
      stoppingAt = performance.now()
      log.info('api stopping')
    })
    return { url }
  })
}

export function openApiLog(config: ApiConfig): Log {
  return openLog({ level: config.logLevel, format: config.logFormat, secrets: listSecrets(config), name: 'api' })
}

/** Logs the URL and token for creating the first account, unless an account already exists. */
async function logSetupToken(deps: AccountDeps & { log: Log; publicUrl: string }): Promise<void> {
  if (await isSetUp(deps)) return
  const token = await getSetupToken(deps)
  // Logged as a warning, so that it is visible at the usual log levels. Setup from another machine
  // requires the token.
  deps.log.warn(`no account exists; open ${deps.publicUrl}/setup and use this token: ${token}`)
}

/** Lists this process's secrets, which must not appear in a log. */
export function listSecrets(config: ApiConfig): string[] {
  const { githubWebhookSecret, gitWebhookSecret, signIn } = config
  return [
    ...listServiceSecrets(config),
    githubWebhookSecret,
    gitWebhookSecret,
    signIn.github?.clientSecret,
    signIn.oidc?.clientSecret,
    ...listProxySecrets(config.proxies),
    ...Object.values(config.traces?.headers ?? {}),
  ].filter((one) => one != null)
}
