import { type Env, hosts, integer, logLevel, postgresUrl, readEnv, redisUrl, trustedProxies } from '@corrigenda/core'
import { z } from 'zod'

const Settings = z.object({
  DATABASE_URL: postgresUrl,
  REDIS_URL: redisUrl.optional(),
  CORRIGENDA_SECRET: z
    .string('is required: at least 32 random characters (openssl rand -hex 32)')
    .min(32, 'must have at least 32 characters'),
  HOST: z.string().default('0.0.0.0'),
  PORT: integer(0, 65_535).default(8080),
  MODEL: z.string().default('claude-sonnet-5-5'),
  LOG_LEVEL: logLevel.default('info'),
  JOB_RATE_LIMIT: integer(1, 1_000_000).default(100),
  JOB_RATE_WINDOW_SECONDS: integer(1, 31_536_000).default(3600),
  MESSAGE_RATE_LIMIT: integer(1, 1_000_000).default(100),
  EDGE_RATE_LIMIT: integer(1, 10_000_000).default(12_000),
  FAILED_AUTH_RATE_LIMIT: integer(1, 10_000_000).default(300),
  SSE_MAX_STREAMS: integer(1, 1_000_000).default(2000),
  ALLOWED_HOOK_HOSTS: hosts.default([]),
  DATABASE_CONNECTIONS: integer(2, 1000).default(20),
  TRUST_PROXY: trustedProxies.default(false),
  GITHUB_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
})

export interface ApiConfig {
  readonly databaseUrl: string
  /** Null: the queue runs on Postgres. */
  readonly redisUrl: string | null
  readonly secret: string
  readonly host: string
  readonly port: number
  readonly model: string
  readonly logLevel: string
  /** Job creations per project and sliding window. */
  readonly quota: { readonly limit: number; readonly windowSeconds: number }
  /** Follow-up messages per project and the same window. */
  readonly messageQuota: { readonly limit: number; readonly windowSeconds: number }
  /** Requests per address and minute. */
  readonly edgeRateLimit: number
  /** Failed authentications per address and minute. */
  readonly failedAuthRateLimit: number
  /** Event streams of this process at the same time. */
  readonly maxEventStreams: number
  /** `host` or `host:port` that deploy hooks and webhooks may reach though they are not public, also over plain http. */
  readonly allowedHookHosts: readonly string[]
  readonly databaseConnections: number
  /** Proxies whose X-Forwarded-For is believed: `true`, or addresses and ranges separated by commas. */
  readonly trustProxy: boolean | string
  /** Signs the webhooks of the Git host; null: they are not received. */
  readonly githubWebhookSecret: string | null
}

/** @throws ConfigError that names every problem */
export function loadApiConfig(env: Env): ApiConfig {
  const s = readEnv(Settings, env)
  return {
    databaseUrl: s.DATABASE_URL,
    redisUrl: s.REDIS_URL ?? null,
    secret: s.CORRIGENDA_SECRET,
    host: s.HOST,
    port: s.PORT,
    model: s.MODEL,
    logLevel: s.LOG_LEVEL,
    quota: { limit: s.JOB_RATE_LIMIT, windowSeconds: s.JOB_RATE_WINDOW_SECONDS },
    messageQuota: { limit: s.MESSAGE_RATE_LIMIT, windowSeconds: s.JOB_RATE_WINDOW_SECONDS },
    edgeRateLimit: s.EDGE_RATE_LIMIT,
    failedAuthRateLimit: s.FAILED_AUTH_RATE_LIMIT,
    maxEventStreams: s.SSE_MAX_STREAMS,
    allowedHookHosts: s.ALLOWED_HOOK_HOSTS,
    databaseConnections: s.DATABASE_CONNECTIONS,
    trustProxy: s.TRUST_PROXY,
    githubWebhookSecret: s.GITHUB_WEBHOOK_SECRET ?? null,
  }
}
