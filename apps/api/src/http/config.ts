import type { AllowedHosts } from '@corrigenda/contracts'
import type { GroupRules } from '@corrigenda/core/accounts'
import { buildModelAliases, type ModelAliases } from '@corrigenda/core/jobs'
import {
  type Env,
  findRedisSettingProblems,
  type RedisAddress,
  readEnv,
  type TrustedProxies,
  toAllowedHosts,
  toRedisAddress,
} from '@corrigenda/core/runtime'
import { type TraceSettings, toTraceSettings } from '@corrigenda/core/tracing'
import { type Proxies, toProxies } from '@corrigenda/egress'
import { Settings } from './settings.ts'

/** Sign-in methods. */
export interface SignInConfig {
  /** False: no request accepts a password, and sessions that were started with one have ended. */
  readonly password: boolean
  /** Null: sign-in with GitHub is disabled. */
  readonly github: { readonly clientId: string; readonly clientSecret: string } | null
  /** Null: sign-in with an identity provider (OpenID Connect) is disabled. */
  readonly oidc: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    /** Label of the sign-in button. */
    readonly name: string
    readonly scopes: readonly string[]
    /** Null: groups give no rights. */
    readonly groups: { readonly claim: string; readonly rules: GroupRules } | null
  } | null
  /**
   * Email addresses, or domains such as `@example.com`, that may create an account without an
   * invitation. In lower case.
   */
  readonly allowedEmails: readonly string[]
}

export interface ApiConfig {
  readonly databaseUrl: string
  /** URL of the same database without a connection pooler in between. */
  readonly databaseDirectUrl: string
  /** Null: the queue runs on Postgres. */
  readonly redis: RedisAddress | null
  readonly secret: string
  /** The secret that is being replaced. Null: no rotation is in progress. */
  readonly previousSecret: string | null
  readonly host: string
  readonly port: number
  readonly model: string
  /** Models that jobs may use, including `model`. Null: every model. */
  readonly allowedModels: readonly string[] | null
  /** Model ids by alias. */
  readonly modelAliases: ModelAliases
  readonly logLevel: string
  readonly logFormat: 'json' | 'pretty'
  /** Maximum number of jobs created per project in a sliding window. */
  readonly quota: { readonly limit: number; readonly windowSeconds: number }
  /** Maximum number of follow-up messages per project in the same window. */
  readonly messageQuota: { readonly limit: number; readonly windowSeconds: number }
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
  /** Maximum number of requests per IP address per minute. */
  readonly edgeRateLimit: number
  /** Maximum number of failed authentications per IP address per minute. */
  readonly sessionMaxDays: number
  readonly callerRateLimit: number
  readonly failedAuthRateLimit: number
  /** Maximum number of concurrent event streams in this process. */
  readonly maxEventStreams: number
  /**
   * Non-public `host` or `host:port` values that deploy hooks and webhooks may use, including over
   * plain HTTP.
   */
  readonly allowedHookHosts: readonly string[]
  /** Origins whose pages may read jobs with job tokens. */
  readonly corsOrigins: readonly string[]
  readonly databaseConnections: number
  /**
   * Proxies whose X-Forwarded-For is trusted: `true`, or IP addresses and ranges separated by
   * commas.
   */
  readonly trustProxy: TrustedProxies | false
  /** Public URL of the service for browsers. Null: localhost with the port. */
  readonly publicUrl: string | null
  readonly allowedRepositoryHosts: AllowedHosts
  readonly signIn: SignInConfig
  /**
   * Signs visitors on the same machine in to the demo account. Only the demo sets this. It cannot
   * be set in the environment.
   */
  readonly demoSignIn: boolean
  /** API URL of the Git host where GitHub Apps are created. Null: github.com. */
  readonly githubApiUrl: string | null
  /**
   * Secret for verifying webhooks from the Git host. Null: only webhooks from the GitHub App are
   * accepted.
   */
  readonly githubWebhookSecret: string | null
  readonly gitWebhookSecret: string | null
  /** Null: no metrics are served. */
  readonly metricsPort: number | null
  /** Adds the project id to the counters of jobs. */
  readonly metricsProjectLabel: boolean
  /** Proxies for outgoing connections. Null: all connections are direct. */
  readonly proxies: Proxies | null
  /** Receiver of traces. Null: no traces are recorded. */
  readonly traces: TraceSettings | null
}

/** @throws ConfigError that lists every problem */
export function loadApiConfig(env: Env): ApiConfig {
  const s = readEnv(Settings, env, (values) => [...findSignInProblems(values), ...findRedisSettingProblems(values)])
  return {
    databaseUrl: s.DATABASE_URL,
    databaseDirectUrl: s.DATABASE_DIRECT_URL ?? s.DATABASE_URL,
    redis: toRedisAddress(s),
    secret: s.CORRIGENDA_SECRET,
    previousSecret: s.CORRIGENDA_SECRET_PREVIOUS ?? null,
    host: s.HOST,
    port: s.PORT,
    model: s.MODEL,
    allowedModels: s.ALLOWED_MODELS === undefined ? null : [...new Set([...s.ALLOWED_MODELS, s.MODEL])],
    modelAliases: buildModelAliases({ defaultModel: s.MODEL, configured: s.MODEL_ALIASES }),
    logLevel: s.LOG_LEVEL,
    logFormat: s.LOG_FORMAT,
    quota: { limit: s.JOB_RATE_LIMIT, windowSeconds: s.JOB_RATE_WINDOW_SECONDS },
    messageQuota: { limit: s.MESSAGE_RATE_LIMIT, windowSeconds: s.JOB_RATE_WINDOW_SECONDS },
    monthlyBudgetUsd: s.MONTHLY_BUDGET_USD ?? null,
    edgeRateLimit: s.EDGE_RATE_LIMIT,
    // Half of an address's requests, so that two projects behind one address do not affect each other.
    callerRateLimit: s.CALLER_RATE_LIMIT ?? Math.ceil(s.EDGE_RATE_LIMIT / 2),
    sessionMaxDays: s.SESSION_MAX_DAYS,
    failedAuthRateLimit: s.FAILED_AUTH_RATE_LIMIT,
    maxEventStreams: s.SSE_MAX_STREAMS,
    allowedHookHosts: s.ALLOWED_HOOK_HOSTS,
    corsOrigins: s.CORS_ORIGINS,
    databaseConnections: s.DATABASE_CONNECTIONS,
    trustProxy: s.TRUST_PROXY ?? false,
    publicUrl: s.PUBLIC_URL ?? null,
    allowedRepositoryHosts: toAllowedHosts(s),
    signIn: {
      password: s.PASSWORD_SIGN_IN === 'true',
      github:
        s.GITHUB_OAUTH_CLIENT_ID && s.GITHUB_OAUTH_CLIENT_SECRET
          ? { clientId: s.GITHUB_OAUTH_CLIENT_ID, clientSecret: s.GITHUB_OAUTH_CLIENT_SECRET }
          : null,
      oidc:
        s.OIDC_ISSUER && s.OIDC_CLIENT_ID && s.OIDC_CLIENT_SECRET
          ? {
              issuer: s.OIDC_ISSUER,
              clientId: s.OIDC_CLIENT_ID,
              clientSecret: s.OIDC_CLIENT_SECRET,
              name: s.OIDC_NAME,
              scopes: s.OIDC_SCOPES,
              groups:
                s.OIDC_ADMIN_GROUPS.length + s.OIDC_GROUP_ROLES.length === 0
                  ? null
                  : {
                      claim: s.OIDC_GROUPS_CLAIM,
                      rules: { admins: s.OIDC_ADMIN_GROUPS, roles: s.OIDC_GROUP_ROLES },
                    },
            }
          : null,
      allowedEmails: s.SIGN_IN_ALLOWED_EMAILS,
    },
    demoSignIn: false,
    githubApiUrl: s.GITHUB_API_URL ?? null,
    githubWebhookSecret: s.GITHUB_WEBHOOK_SECRET ?? null,
    gitWebhookSecret: s.GIT_WEBHOOK_SECRET ?? null,
    metricsPort: s.METRICS_PORT ?? null,
    metricsProjectLabel: s.METRICS_PROJECT_LABEL === 'true',
    proxies: toProxies(s),
    traces: toTraceSettings(s),
  }
}

const PROVIDER_SETTINGS = [
  ['GITHUB_OAUTH_CLIENT_ID', 'GITHUB_OAUTH_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
]

/** Reports providers whose settings are incomplete, and a service without any way to sign in. */
function findSignInProblems(values: Env): string[] {
  const problems = PROVIDER_SETTINGS.flatMap((names) => {
    const missing = names.filter((name) => !values[name])
    return missing.length === 0 || missing.length === names.length
      ? []
      : missing.map((name) => `${name}: is required together with ${names.filter((one) => one !== name).join(' and ')}`)
  })
  const hasProvider = PROVIDER_SETTINGS.some((names) => names.every((name) => values[name]))
  if (values.PASSWORD_SIGN_IN === 'false' && !hasProvider) {
    problems.push('PASSWORD_SIGN_IN: can be false only if sign-in with GitHub or OpenID Connect is configured')
  }
  for (const name of ['OIDC_ADMIN_GROUPS', 'OIDC_GROUP_ROLES']) {
    if (values[name] && !values.OIDC_ISSUER) problems.push(`${name}: requires OIDC_ISSUER`)
  }
  return problems
}
