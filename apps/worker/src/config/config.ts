import os from 'node:os'
import path from 'node:path'
import type { AgentSettings } from '@corrigenda/agent/loop'
import type { CallModelOptions } from '@corrigenda/agent/model'
import {
  ANTHROPIC_URL,
  customHeaders,
  findModelProblems,
  httpUrl,
  listModelSecrets,
  MAX_CALLS,
  type ModelFacts,
  modelFacts,
  onOff,
  toAddress,
  toPlatform,
} from '@corrigenda/agent/model'
import type { RetentionPeriods } from '@corrigenda/core/retention'
import {
  amount,
  type Env,
  findRedisSettingProblems,
  hookHosts,
  hosts,
  integer,
  logLevel,
  number,
  postgresUrl,
  proxyUrl,
  type RedisAddress,
  readEnv,
  redisSettings,
  toRedisAddress,
} from '@corrigenda/core/runtime'
import { otlpEndpoint, otlpHeaders, type TraceSettings, toTraceSettings } from '@corrigenda/core/tracing'
import { listProxySecrets, type Proxies, toProxies } from '@corrigenda/egress'
import { z } from 'zod'
import type { CredentialSource } from '../git-host/credentials.ts'
import { findApiUrlHost, findHostProblems, findSourceHost } from './git-host-settings.ts'

/** Settings of a worker. `docs/configuration.md` is generated from them. */
export const Settings = z.object({
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  REDIS_URL: redisSettings.REDIS_URL,
  REDIS_SENTINELS: redisSettings.REDIS_SENTINELS,
  REDIS_SENTINEL_USERNAME: redisSettings.REDIS_SENTINEL_USERNAME,
  REDIS_SENTINEL_PASSWORD: redisSettings.REDIS_SENTINEL_PASSWORD,
  CORRIGENDA_SECRET: z.string('is required. Use the same value as the API').min(32, 'must have at least 32 characters'),
  CORRIGENDA_SECRET_PREVIOUS: z.string().optional(),
  MODEL_PROVIDER: z
    .enum(['anthropic', 'bedrock', 'vertex'], 'must be anthropic, bedrock or vertex')
    .default('anthropic'),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_AUTH_TOKEN: z.string().optional(),
  ANTHROPIC_BASE_URL: httpUrl.default(ANTHROPIC_URL),
  ANTHROPIC_VERSION: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'must be a version such as 2023-06-01')
    .optional(),
  ANTHROPIC_CUSTOM_HEADERS: customHeaders.default({}),
  MODEL_AUTH: z
    .enum(['bearer', 'x-api-key', 'both', 'none'], 'must be bearer, x-api-key, both or none')
    .default('bearer'),
  AWS_REGION: z.string().optional(),
  AWS_BEARER_TOKEN_BEDROCK: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  ANTHROPIC_BEDROCK_BASE_URL: httpUrl.optional(),
  CLOUD_ML_REGION: z.string().optional(),
  ANTHROPIC_VERTEX_PROJECT_ID: z.string().optional(),
  ANTHROPIC_VERTEX_BASE_URL: httpUrl.optional(),
  GOOGLE_APPLICATION_CREDENTIALS: z.string().optional(),
  MODEL_THINKING: z.enum(['omit', 'adaptive'], 'must be omit or adaptive').default('omit'),
  MODEL_EFFORT: z.enum(['low', 'medium', 'high'], 'must be low, medium or high').optional(),
  MODEL_STRICT: onOff.default(true),
  MODEL_CACHING: onOff.default(true),
  MODEL_PARALLEL_CALLS: integer(1, MAX_CALLS).default(MAX_CALLS),
  MODEL_MAX_OUTPUT_TOKENS: integer(256, 128_000).default(16_000),
  MODEL_CONTEXT_TOKENS: integer(8000, 100_000_000).optional(),
  MODEL_SOFT_CONTEXT_TOKENS: integer(1000, 100_000_000).default(100_000),
  MODEL_HARD_CONTEXT_TOKENS: integer(2000, 100_000_000).default(180_000),
  MODEL_TRUNCATION_CHECK: onOff.default(true),
  MODEL_FALLBACK: z.string().optional(),
  MODEL: z.string().optional(),
  MODELS: modelFacts.default({}),
  MODEL_IDLE_SECONDS: integer(1, 3600).default(90),
  MODEL_TURN_SECONDS: integer(1, 7200).default(600),
  MODEL_RETRIES: integer(0, 20).default(5),
  GITHUB_TOKEN: z.string().optional(),
  GITHUB_TOKEN_HOST: hosts
    .refine((list) => list.length === 1, 'must be one host or host:port')
    .transform(([host]) => host)
    .optional(),
  GITHUB_APP_ID: z.string().optional(),
  GITHUB_APP_PRIVATE_KEY: z.string().optional(),
  GITHUB_API_URL: z.url('must be a URL such as https://github.example.com/api/v3').optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
  ALLOWED_HOOK_HOSTS: hookHosts.default([]),
  PUBLIC_URL: z.url('must be a URL').optional(),
  WORKER_CONCURRENCY: integer(1, 200).default(4),
  CACHE_DIR: z.string().default(path.join(os.tmpdir(), 'corrigenda-cache')),
  MAX_REPOSITORY_MB: integer(1, 4096).default(256),
  MAX_REPOSITORY_FILES: integer(1000, 1_000_000).default(100_000),
  LOG_LEVEL: logLevel.default('info'),
  // Lease duration for runs and deployments. Must exceed core's DATABASE_LIMITS and QUEUE_LOCK_MS
  // (see config.test.ts).
  LEASE_SECONDS: integer(3, 3600).default(20),
  SWEEP_SECONDS: number(0.1, 600).default(2.5),
  MAX_ATTEMPTS: integer(1, 1000).default(10),
  PROJECT_CONCURRENCY: integer(1, 10_000).default(20),
  MAX_TURNS: integer(1, 1000).default(40),
  MAX_INPUT_TOKENS: integer(1000, 1_000_000_000).default(2_000_000),
  MAX_OUTPUT_TOKENS: integer(100, 1_000_000_000).default(60_000),
  MAX_COST_USD: amount.default(2),
  MONTHLY_BUDGET_USD: amount.optional(),
  MAX_JOB_SECONDS: integer(10, 604_800).default(1200),
  RETAIN_TRANSCRIPTS_DAYS: integer(1, 36_500).optional(),
  RETAIN_JOBS_DAYS: integer(1, 36_500).optional(),
  RETAIN_AUDIT_DAYS: integer(90, 36_500).optional(),
  HEALTH_PORT: integer(0, 65_535).optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  HTTP_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders.optional(),
})

/** Lease duration for runs and deployments in seconds, unless LEASE_SECONDS is set. */
export const DEFAULT_LEASE_SECONDS = Settings.shape.LEASE_SECONDS.parse(undefined)

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
  readonly allowedRepositoryHosts: readonly string[]
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
  /** Lease duration for runs and deployments. Leases on other rows have fixed durations. */
  readonly leaseSeconds: number
  readonly sweepSeconds: number
  readonly maxAttempts: number
  /** Maximum number of concurrent jobs per project, across all workers. */
  readonly projectConcurrency: number
  readonly budgets: Budgets
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
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
    allowedRepositoryHosts: s.ALLOWED_REPOSITORY_HOSTS,
    allowedHookHosts: s.ALLOWED_HOOK_HOSTS,
    publicUrl: s.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    concurrency: s.WORKER_CONCURRENCY,
    cacheDir: path.resolve(s.CACHE_DIR),
    repositoryLimits: { maxBytes: s.MAX_REPOSITORY_MB * 1024 * 1024, maxEntries: s.MAX_REPOSITORY_FILES },
    logLevel: s.LOG_LEVEL,
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
    extraCaCerts: s.NODE_EXTRA_CA_CERTS ?? null,
    proxies: toProxies(s),
    traces: toTraceSettings(s),
    healthPort: s.HEALTH_PORT ?? null,
    metricsPort: s.METRICS_PORT ?? null,
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
  const { secret, previousSecret, databaseUrl, databaseDirectUrl, redis, anthropic } = config
  return [
    secret,
    previousSecret ?? '',
    databaseUrl,
    ...(databaseDirectUrl === databaseUrl ? [] : [databaseDirectUrl]),
    redis?.url ?? '',
    redis?.sentinels?.password ?? '',
    anthropic.apiKey,
    credential,
    ...listModelSecrets(anthropic),
    ...listProxySecrets(config.proxies),
    ...Object.values(config.traces?.headers ?? {}),
    ...new Set([databaseUrl, databaseDirectUrl, redis?.url ?? null].flatMap(toPassword)),
  ].filter(Boolean)
}

/**
 * Returns a URL's password if the password has at least 12 characters, including a digit and a
 * letter. Redacting a word such as `postgres` would damage ordinary text.
 */
function toPassword(url: string | null): string[] {
  if (url === null || !URL.canParse(url)) return []
  const password = decodeURIComponent(new URL(url).password)
  return password.length >= 12 && /\d/.test(password) && /\p{L}/u.test(password) ? [password] : []
}
