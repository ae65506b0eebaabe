import os from 'node:os'
import path from 'node:path'
import { type Env, hosts, integer, logLevel, postgresUrl, readEnv, redisUrl } from '@corrigenda/core'
import { z } from 'zod'
import type { CallModelOptions } from './agent/call-model.ts'
import type { CredentialSource } from './github/credentials.ts'

const Settings = z.object({
  DATABASE_URL: postgresUrl,
  REDIS_URL: redisUrl.optional(),
  CORRIGENDA_SECRET: z.string('is required: the same value as the API has').min(32, 'must have at least 32 characters'),
  ANTHROPIC_API_KEY: z.string('is required: the key of the Messages API'),
  ANTHROPIC_BASE_URL: z.url('must be a URL').default('https://api.anthropic.com'),
  GITHUB_TOKEN: z.string().optional(),
  GITHUB_APP_ID: z.string().optional(),
  GITHUB_APP_PRIVATE_KEY: z.string().optional(),
  GITHUB_API_URL: z.url('must be a URL such as https://github.example.com/api/v3').optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
  ALLOWED_HOOK_HOSTS: hosts.default([]),
  PUBLIC_URL: z.url('must be a URL').optional(),
  WORKER_CONCURRENCY: integer(1, 200).default(4),
  CACHE_DIR: z.string().default(path.join(os.tmpdir(), 'corrigenda-cache')),
  LOG_LEVEL: logLevel.default('info'),
  LEASE_SECONDS: integer(3, 3600).default(20),
  SWEEP_SECONDS: z.coerce.number('must be a number').min(0.1).max(600).default(2.5),
  MAX_ATTEMPTS: integer(1, 1000).default(10),
  PROJECT_CONCURRENCY: integer(1, 10_000).default(20),
  MAX_TURNS: integer(1, 1000).default(40),
  MAX_INPUT_TOKENS: integer(1000, 1_000_000_000).default(2_000_000),
  MAX_OUTPUT_TOKENS: integer(100, 1_000_000_000).default(60_000),
  MAX_COST_USD: z.coerce.number('must be a number').positive().default(2),
  MAX_JOB_SECONDS: integer(10, 604_800).default(1200),
  HEALTH_PORT: integer(0, 65_535).optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
})

export interface Budgets {
  readonly maxTurns: number
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  readonly maxCostUsd: number
  readonly maxSeconds: number
}

export interface WorkerConfig {
  readonly databaseUrl: string
  /** Null: the queue runs on Postgres. */
  readonly redisUrl: string | null
  readonly secret: string
  readonly anthropic: CallModelOptions & { readonly baseUrl: string }
  /** `source` is null when the environment has no credential: then projects need one of their own, or the instance an App. */
  readonly github: { readonly source: CredentialSource | null; readonly apiUrl: string | null }
  readonly allowedRepositoryHosts: readonly string[]
  /** `host` or `host:port` that deploy hooks and webhooks may reach though they are not public, also over plain http. */
  readonly allowedHookHosts: readonly string[]
  /** Where callers reach the API, for links in pull requests. */
  readonly publicUrl: string | null
  /** Runs worked on at the same time. */
  readonly concurrency: number
  readonly cacheDir: string
  readonly logLevel: string
  readonly leaseSeconds: number
  readonly sweepSeconds: number
  readonly maxAttempts: number
  /** Jobs of one project that are worked on at the same time, by all workers together. */
  readonly projectConcurrency: number
  readonly budgets: Budgets
  /** File of further certificate authorities, as Node itself reads it; handed on to the process that downloads repositories. */
  readonly extraCaCerts: string | null
  /** Null: no health endpoint. */
  readonly healthPort: number | null
}

/** @throws ConfigError that names every problem */
export function loadWorkerConfig(env: Env): WorkerConfig {
  const s = readEnv(Settings, env, findCredentialProblems)
  const { GITHUB_APP_ID: appId, GITHUB_APP_PRIVATE_KEY: privateKey } = s
  return {
    databaseUrl: s.DATABASE_URL,
    redisUrl: s.REDIS_URL ?? null,
    secret: s.CORRIGENDA_SECRET,
    anthropic: { apiKey: s.ANTHROPIC_API_KEY, baseUrl: s.ANTHROPIC_BASE_URL },
    github: {
      source: findSource({ appId, privateKey, token: s.GITHUB_TOKEN }),
      apiUrl: s.GITHUB_API_URL ?? null,
    },
    allowedRepositoryHosts: s.ALLOWED_REPOSITORY_HOSTS,
    allowedHookHosts: s.ALLOWED_HOOK_HOSTS,
    publicUrl: s.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    concurrency: s.WORKER_CONCURRENCY,
    cacheDir: path.resolve(s.CACHE_DIR),
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
    extraCaCerts: s.NODE_EXTRA_CA_CERTS ?? null,
    healthPort: s.HEALTH_PORT ?? null,
  }
}

/** Outside the schema: rules of a schema over several settings are not asked while one setting is wrong. */
function findCredentialProblems(values: Env): string[] {
  const app = [values.GITHUB_APP_ID, values.GITHUB_APP_PRIVATE_KEY].filter(Boolean).length
  if (app === 1) return ['GITHUB_TOKEN: a GitHub App needs both GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY']
  return []
}

function findSource(given: Record<'appId' | 'privateKey' | 'token', string | undefined>): CredentialSource | null {
  const { appId, privateKey, token } = given
  if (appId && privateKey) return { kind: 'app', appId, privateKey }
  return token ? { kind: 'token', token } : null
}

/** Every secret this process holds: never in a log, a pull request or an answer. */
export function listSecrets(config: WorkerConfig): string[] {
  const { source } = config.github
  const credential = source === null ? '' : source.kind === 'token' ? source.token : source.privateKey
  const { secret, databaseUrl, redisUrl, anthropic } = config
  return [
    secret,
    databaseUrl,
    redisUrl ?? '',
    anthropic.apiKey,
    credential,
    ...[databaseUrl, redisUrl].flatMap(toPassword),
  ].filter(Boolean)
}

/** Words such as `postgres` would be found in any page, so a password counts from 12 characters with a digit and a letter. */
function toPassword(url: string | null): string[] {
  if (url === null || !URL.canParse(url)) return []
  const password = decodeURIComponent(new URL(url).password)
  return password.length >= 12 && /\d/.test(password) && /\p{L}/u.test(password) ? [password] : []
}
