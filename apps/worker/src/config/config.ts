import path from 'node:path'
import type { AgentSettings } from '@corrigenda/agent/loop'
import {
  type CallModelOptions,
  findModelProblems,
  listModelSecrets,
  type ModelFacts,
  toAddress,
  toPlatform,
} from '@corrigenda/agent/model'
import type { AllowedHosts } from '@corrigenda/contracts'
import type { RetentionPeriods } from '@corrigenda/core/retention'
import {
  type Env,
  findRedisSettingProblems,
  hosts,
  listServiceSecrets,
  type RedisAddress,
  readEnv,
  toAllowedHosts,
  toRedisAddress,
} from '@corrigenda/core/runtime'
import { type TraceSettings, toTraceSettings } from '@corrigenda/core/tracing'
import { listProxySecrets, type Proxies, toProxies } from '@corrigenda/egress'
import type { CredentialSource } from '../git-host/credentials.ts'
import { Settings } from './settings.ts'

export interface Budgets {
  readonly maxTurns: number
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  readonly maxCostUsd: number
  readonly maxSeconds: number
}

/** Limits on the documentation repository and on each source. */
export interface RepositoryLimits {
  /** Size of one download. */
  readonly maxBytes: number
  /** Number of files and directories. */
  readonly maxEntries: number
}

export interface WorkerConfig {
  readonly databaseUrl: string
  /** URL of the same database without a connection pooler in between. */
  readonly databaseDirectUrl: string
  /** Null if the queue runs on Postgres. */
  readonly redis: RedisAddress | null
  readonly secret: string
  /** The secret that is being replaced. Null: no rotation is in progress. */
  readonly previousSecret: string | null
  /** Options for all model calls, wherever the model is hosted. */
  readonly anthropic: CallModelOptions & { readonly baseUrl: string }
  /** Settings that apply to every model. */
  readonly agent: AgentSettings
  /** Configured model settings, by model id. */
  readonly models: ModelFacts
  /** Models that the operator configured (`MODEL`, `MODEL_FALLBACK` and `MODELS`). */
  readonly configuredModels: readonly string[]
  /**
   * `source` is null when the environment has no credential. In that case each project needs its
   * own token, or the instance needs a GitHub App.
   */
  readonly github: {
    readonly source: CredentialSource | null
    readonly apiUrl: string | null
    /** The repository host that `apiUrl` belongs to. Null: every allowed host. */
    readonly apiUrlHost: string | null
  }
  readonly allowedRepositoryHosts: AllowedHosts
  /** Tokens of hosts in GIT_HOSTS, by `host` or `host:port`. */
  readonly gitHostTokens: ReadonlyMap<string, string>
  /**
   * Hosts (`host` or `host:port`) that deploy hooks and webhooks may reach even if they are not
   * public. Plain http is also allowed for these hosts.
   */
  readonly allowedHookHosts: readonly string[]
  /** Public URL of the API, for links in pull requests. */
  readonly publicUrl: string | null
  /** Maximum number of runs that this process works on concurrently. */
  readonly concurrency: number
  readonly cacheDir: string
  readonly repositoryLimits: RepositoryLimits
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
  /** Lease duration for runs and deployments. Leases on other rows have fixed durations. */
  readonly leaseSeconds: number
  readonly sweepSeconds: number
  readonly maxAttempts: number
  /** Maximum number of concurrent jobs per project, across all workers. */
  readonly projectConcurrency: number
  readonly budgets: Budgets
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
  readonly messageQuota: { readonly limit: number; readonly windowSeconds: number }
  /**
   * File with additional certificate authorities, in the format that Node.js expects. Passed to the
   * process that downloads repositories.
   */
  readonly extraCaCerts: string | null
  /** Proxies for outgoing connections. Null: all connections are direct. */
  readonly proxies: Proxies | null
  /** Receiver of traces. Null: no traces are recorded. */
  readonly traces: TraceSettings | null
  /** Null disables the health endpoint. */
  readonly healthPort: number | null
  /** Null: no metrics are served. */
  readonly metricsPort: number | null
  /** Adds the label `project` to the counters of events. */
  readonly metricsProjectLabel: boolean
  readonly retention: RetentionPeriods
}

/** @throws ConfigError listing every problem */
export function loadWorkerConfig(env: Env): WorkerConfig {
  const s = readEnv(Settings, env, (values) => [
    ...findCredentialProblems(values),
    ...findHostProblems(values),
    ...findModelProblems(values),
    ...findRedisSettingProblems(values),
  ])
  const { GITHUB_APP_ID: appId, GITHUB_APP_PRIVATE_KEY: privateKey } = s
  return {
    databaseUrl: s.DATABASE_URL,
    databaseDirectUrl: s.DATABASE_DIRECT_URL ?? s.DATABASE_URL,
    redis: toRedisAddress(s),
    secret: s.CORRIGENDA_SECRET,
    previousSecret: s.CORRIGENDA_SECRET_PREVIOUS ?? null,
    anthropic: {
      apiKey: s.ANTHROPIC_API_KEY ?? '',
      ...(s.ANTHROPIC_AUTH_TOKEN ? { authToken: s.ANTHROPIC_AUTH_TOKEN } : {}),
      credentialHeader: s.MODEL_AUTH,
      baseUrl: toAddress(s),
      headers: {
        ...s.ANTHROPIC_CUSTOM_HEADERS,
        ...(s.ANTHROPIC_VERSION ? { 'anthropic-version': s.ANTHROPIC_VERSION } : {}),
      },
      platform: toPlatform(s),
      idleTimeoutMs: s.MODEL_IDLE_SECONDS * 1000,
      turnTimeoutMs: s.MODEL_TURN_SECONDS * 1000,
      maxRetries: s.MODEL_RETRIES,
    },
    agent: {
      maxOutput: s.MODEL_MAX_OUTPUT_TOKENS,
      thinking: s.MODEL_THINKING,
      effort: s.MODEL_EFFORT ?? null,
      caching: s.MODEL_CACHING,
      strict: s.MODEL_STRICT,
      parallelCalls: s.MODEL_PARALLEL_CALLS,
      fallbackModel: s.MODEL_FALLBACK ?? null,
      truncationCheck: s.MODEL_TRUNCATION_CHECK,
      contextTokens: s.MODEL_CONTEXT_TOKENS ?? null,
      softContextTokens: s.MODEL_SOFT_CONTEXT_TOKENS,
      hardContextTokens: s.MODEL_HARD_CONTEXT_TOKENS,
    },
    models: s.MODELS,
    configuredModels: [s.MODEL, s.MODEL_FALLBACK, ...Object.keys(s.MODELS)].filter((model) => model !== undefined),
    github: {
      source: findSource({ appId, privateKey, token: s.GITHUB_TOKEN, host: findSourceHost(s) ?? undefined }),
      apiUrl: s.GITHUB_API_URL ?? null,
      apiUrlHost: findApiUrlHost(s),
    },
    allowedRepositoryHosts: toAllowedHosts(s),
    gitHostTokens: s.GIT_HOST_TOKENS,
    allowedHookHosts: s.ALLOWED_HOOK_HOSTS,
    publicUrl: s.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    concurrency: s.WORKER_CONCURRENCY,
    cacheDir: path.resolve(s.CACHE_DIR),
    repositoryLimits: { maxBytes: s.MAX_REPOSITORY_MB * 1024 * 1024, maxEntries: s.MAX_REPOSITORY_FILES },
    logLevel: s.LOG_LEVEL,
    logFormat: s.LOG_FORMAT,
    leaseSeconds: s.LEASE_SECONDS,
    sweepSeconds: s.SWEEP_SECONDS,
    maxAttempts: s.MAX_ATTEMPTS,
    projectConcurrency: s.PROJECT_CONCURRENCY,
    budgets: {
      maxTurns: s.MAX_TURNS,
      maxInputTokens: s.MAX_INPUT_TOKENS,
      maxOutputTokens: s.MAX_OUTPUT_TOKENS,
      maxCostUsd: s.MAX_COST_USD,
      maxSeconds: s.MAX_JOB_SECONDS,
    },
    monthlyBudgetUsd: s.MONTHLY_BUDGET_USD ?? null,
    messageQuota: { limit: s.MESSAGE_RATE_LIMIT, windowSeconds: s.JOB_RATE_WINDOW_SECONDS },
    extraCaCerts: s.NODE_EXTRA_CA_CERTS ?? null,
    proxies: toProxies(s),
    traces: toTraceSettings(s),
    healthPort: s.HEALTH_PORT ?? null,
    metricsPort: s.METRICS_PORT ?? null,
    metricsProjectLabel: s.METRICS_PROJECT_LABEL === 'true',
    retention: {
      transcriptDays: s.RETAIN_TRANSCRIPTS_DAYS ?? null,
      jobDays: s.RETAIN_JOBS_DAYS ?? null,
      auditDays: s.RETAIN_AUDIT_DAYS ?? null,
    },
  }
}

/**
 * Finds problems that involve more than one credential setting. This check is not part of the
 * schema, because the schema's cross-field rules do not run if any field is invalid.
 */
function findCredentialProblems(values: Env): string[] {
  const app = [values.GITHUB_APP_ID, values.GITHUB_APP_PRIVATE_KEY].filter(Boolean).length
  if (app === 1) return ['GITHUB_TOKEN: a GitHub App needs both GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY']
  return []
}

function findSource(
  given: Record<'appId' | 'privateKey' | 'token' | 'host', string | undefined>,
): CredentialSource | null {
  const { appId, privateKey, token, host } = given
  const bound = host === undefined ? {} : { host }
  if (appId && privateKey) return { kind: 'app', appId, privateKey, ...bound }
  return token ? { kind: 'token', token, ...bound } : null
}

/**
 * Lists this process's secrets, which must not appear in a log, a pull request or a response.
 */
export function listSecrets(config: WorkerConfig): string[] {
  const { source } = config.github
  const credential = source === null ? '' : source.kind === 'token' ? source.token : source.privateKey
  return [
    ...listServiceSecrets(config),
    config.anthropic.apiKey,
    credential,
    ...config.gitHostTokens.values(),
    ...listModelSecrets(config.anthropic),
    ...listProxySecrets(config.proxies),
    ...Object.values(config.traces?.headers ?? {}),
  ].filter(Boolean)
}

interface HostSettings {
  readonly GITHUB_API_URL?: string | undefined
  readonly GITHUB_TOKEN_HOST?: string | undefined
  readonly ALLOWED_REPOSITORY_HOSTS: readonly string[]
}

/**
 * Returns the repository host that GITHUB_API_URL belongs to; null if it is unset or if only one
 * host is allowed.
 */
function findApiUrlHost({ GITHUB_API_URL: url, ALLOWED_REPOSITORY_HOSTS: allowed }: HostSettings) {
  if (url === undefined || allowed.length < 2) return null
  const { host } = new URL(url)
  return allowed.find((one) => host === one || host === `api.${one}`) ?? host
}

/** Returns the only host that receives the environment's credential; null for the only one allowed. */
function findSourceHost(settings: HostSettings): string | null {
  if (settings.GITHUB_TOKEN_HOST !== undefined) return settings.GITHUB_TOKEN_HOST
  return settings.ALLOWED_REPOSITORY_HOSTS.length < 2 ? null : (findApiUrlHost(settings) ?? 'github.com')
}

/** Finds an API URL that could belong to any of several hosts. */
function findHostProblems(values: Env): string[] {
  const { data: allowed = [] } = hosts.safeParse(values.ALLOWED_REPOSITORY_HOSTS ?? '')
  const { GITHUB_API_URL: url } = values
  if (url === undefined || !URL.canParse(url)) return []
  const host = findApiUrlHost({ GITHUB_API_URL: url, ALLOWED_REPOSITORY_HOSTS: allowed })
  if (host === null || allowed.includes(host)) return []
  return ['GITHUB_API_URL: must be on one of the hosts in ALLOWED_REPOSITORY_HOSTS, because several are allowed']
}
