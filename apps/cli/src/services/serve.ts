import { findBuiltDashboard, loadApiConfig, type ModelSettings, openApiLog, startApi } from '@corrigenda/api'
import { AppError } from '@corrigenda/core/base'
import { migrateDatabase } from '@corrigenda/core/db'
import { type Env, hideInLog, type Log } from '@corrigenda/core/runtime'
import { loadWorkerConfig, openWorkerLog, type RunningWorker, startWorker, type WorkerConfig } from '@corrigenda/worker'
import type { DemoGitHost, DemoModel } from '../demo/start-demo.ts'
import type { CommandPlace } from '../environment/command-context.ts'
import { hasGitCredential, hasModelKey, resolveEnvironment } from '../environment/resolve-environment.ts'
import { savePublicUrl } from '../environment/state-file.ts'

const TIMEOUT_MS = 10_000

/** All services running in this process. */
export interface Serving {
  /** API URL. */
  readonly url: string
  /** Dashboard URL for a browser on this machine, or null if the dashboard is not built. */
  readonly dashboardUrl: string | null
  /** True if visitors on this machine are signed in to the dashboard automatically. */
  readonly demoSignIn: boolean
  readonly env: Env
  /** Null if a real Git host is configured. */
  readonly demoHost: DemoGitHost | null
  /** Null if a real model is configured. */
  readonly demoModel: DemoModel | null
  /** The components and their implementations, printed one per line. */
  readonly parts: readonly { readonly part: string; readonly what: string }[]
  close(): Promise<void>
}

/**
 * Starts the API and a worker. Uses embedded defaults for settings that are absent from the
 * environment: Postgres, a queue on Postgres, the rehearsal model, and a local Git host with a
 * sample repository.
 * @param logs log destinations; default: standard output
 */
export async function serve(place: CommandPlace, logs: { api?: Log; worker?: Log } = {}): Promise<Serving> {
  const { env } = place
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    // Closes in reverse order, so that dependents close before their dependencies.
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const resolved = await resolveEnvironment(place, 'start')
    closers.push(resolved.close)
    // Loaded only when needed, because a production image does not contain the demo.
    const demoModel = hasModelKey(env)
      ? null
      : await (await loadDemo('ANTHROPIC_API_KEY', () => import('../demo/start-demo.ts'))).startDemoModel()
    if (demoModel) closers.push(demoModel.close)
    const demoHost = hasGitCredential(env)
      ? null
      : await (await loadDemo('GITHUB_TOKEN', () => import('../demo/start-demo.ts'))).startDemoGitHost(
          resolved.stateDir,
        )
    if (demoHost) closers.push(demoHost.close)
    const settings = {
      CACHE_DIR: `${resolved.stateDir}/cache`,
      HOST: '127.0.0.1',
      ...dropEmpty(resolved.env),
      ...demoModel?.env,
      ...demoHost?.env,
    }
    const api = loadModels(settings, demoModel)
    const worker = keepToHost(loadWorkerConfig(settings), demoHost)
    const apiLog = logs.api ?? openApiLog(api)
    const parts = describeParts({
      env: settings,
      embedded: resolved.embedded,
      model: demoModel,
      host: demoHost,
      maxCostUsd: worker.budgets.maxCostUsd,
    })
    for (const part of parts) apiLog.info(part, 'using')
    await migrateDatabase({ url: api.databaseDirectUrl })
    // Automatic sign-in also requires the embedded database, because an external database has its
    // own users.
    const demoSignIn = demoHost !== null && resolved.embedded
    const workerLog = logs.worker ?? openWorkerLog(worker)
    let runningWorker: RunningWorker | null = null
    let publicUrl = ''
    const start = (config: WorkerConfig, model: { isDemo: boolean; id: string }) =>
      startWorker({ ...config, publicUrl, metricsPort: toWorkerPort(api.metricsPort) }, workerLog, {
        coldBuild: 'child',
        ...(model.isDemo ? { modelKind: 'rehearsal' } : { replacedModels: { [DEMO_MODEL]: model.id } }),
      })
    const connectModel = async (key: string): Promise<ModelSettings> => {
      const real = toRealModel(settings, { env, key })
      // Read before the worker stops, so that an invalid setting leaves the demo as it is.
      const [models, realWorker] = [loadModels(real, null), keepToHost(loadWorkerConfig(real), demoHost)]
      await checkModelKey(real)
      hideInLog(workerLog, key)
      await runningWorker?.close()
      try {
        runningWorker = await start(realWorker, { isDemo: false, id: models.model })
      } catch (error) {
        runningWorker = await start(worker, { isDemo: true, id: api.model })
        throw error
      }
      workerLog.info('the demo uses a real model')
      return models
    }
    const runningApi = await startApi({ ...api, demoSignIn }, apiLog, {
      connectModel: demoSignIn && demoModel !== null ? connectModel : undefined,
    })
    closers.push(runningApi.close)
    publicUrl = worker.publicUrl ?? runningApi.url
    closers.push(async () => runningWorker?.close())
    runningWorker = await start(worker, { isDemo: demoModel !== null, id: api.model })
    const { url } = runningApi
    const dashboardUrl =
      findBuiltDashboard() === null ? null : (api.publicUrl ?? `http://localhost:${new URL(url).port}`)
    if (resolved.embedded)
      await savePublicUrl(resolved.stateDir, api.publicUrl ?? `http://localhost:${new URL(url).port}`)
    return { url, dashboardUrl, demoSignIn, env: settings, demoHost, demoModel, parts, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The worker's metrics are served on the next port, because the API uses METRICS_PORT. */
const toWorkerPort = (port: number | null): number | null => (port ? port + 1 : port)

function describeParts(input: {
  env: Env
  embedded: boolean
  model: DemoModel | null
  host: DemoGitHost | null
  maxCostUsd: number
}): Serving['parts'] {
  const { env, embedded, model, host, maxCostUsd } = input
  return [
    {
      part: 'Postgres',
      what: embedded ? 'embedded, data in .corrigenda/ (set DATABASE_URL to use your own)' : 'DATABASE_URL',
    },
    {
      part: 'Queue',
      what: env.REDIS_URL || env.REDIS_URL_FILE ? 'BullMQ on Redis' : 'BullMQ on Postgres (set REDIS_URL for Redis)',
    },
    {
      part: 'Model',
      what: model
        ? 'rehearsal model: scripted, uses no AI (set ANTHROPIC_API_KEY for a real one)'
        : `${env.MODEL || 'claude-sonnet-5-5'} over the Messages API, at most ${maxCostUsd} US dollars per prompt (MAX_COST_USD)`,
    },
    {
      part: 'Git host',
      what: host
        ? `local, with sample documentation at ${host.sampleUrl} (set GITHUB_TOKEN for GitHub)`
        : `GitHub (${env.ALLOWED_REPOSITORY_HOSTS || 'github.com'})`,
    },
  ]
}

/** Model of the jobs that the demo has run. */
const DEMO_MODEL = 'rehearsal'

/** Loads the API's settings. With a real model, repeated jobs of the demo use it. */
function loadModels(settings: Env, demoModel: DemoModel | null): ReturnType<typeof loadApiConfig> {
  const config = loadApiConfig(settings)
  if (demoModel !== null) return config
  return { ...config, modelAliases: { ...config.modelAliases, [DEMO_MODEL]: config.model } }
}

/** Returns the settings with the real model that the user's environment describes, and this key. */
function toRealModel(settings: Env, { env, key }: { env: Env; key: string }): Env {
  const { MODEL, MODEL_ALIASES, ANTHROPIC_BASE_URL } = dropEmpty(env)
  return dropEmpty({ ...settings, MODEL, MODEL_ALIASES, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY: key })
}

/**
 * Restricts the demo's token to the demo host, because it is invalid elsewhere. Projects on other
 * hosts fail unless they have their own credentials.
 */
function keepToHost(config: WorkerConfig, demoHost: DemoGitHost | null): WorkerConfig {
  const { source } = config.github
  if (demoHost === null || source?.kind !== 'token') return config
  return { ...config, github: { ...config.github, source: { ...source, host: new URL(demoHost.url).host } } }
}

/**
 * Loads a demo module.
 * @throws Error that names the setting if the demo is not installed
 */
async function loadDemo<T>(setting: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(`This installation does not include the demo components. Set ${setting}.`)
  }
}

const dropEmpty = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([, value]) => value))

/**
 * Checks an API key with a request that costs nothing.
 * @throws AppError `invalid_request` if the model API rejects the key or cannot be reached
 */
export async function checkModelKey({ ANTHROPIC_API_KEY: key = '', ANTHROPIC_BASE_URL: base }: Env): Promise<void> {
  const url = `${(base ?? 'https://api.anthropic.com').replace(/\/+$/, '')}/v1/models?limit=1`
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    const cause = error.cause as NodeJS.ErrnoException | undefined
    const reason = cause?.code ?? cause?.message ?? error.name
    throw new AppError(
      'invalid_request',
      `The model API at ${new URL(url).host} cannot be reached (${reason}). Check ANTHROPIC_BASE_URL, HTTPS_PROXY, and the network, and restart the service after changing a setting.`,
    )
  })
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403) {
    throw new AppError('invalid_request', `The model API rejected the key (status ${response.status}). Check the key.`)
  }
}
