import { JobRequest } from '@corrigenda/contracts'
import type { ModelAliases } from '@corrigenda/core/jobs'
import { isLoopback } from '@corrigenda/core/projects'
import { integer, serviceSettings, trueOrFalse, trustedProxies } from '@corrigenda/core/runtime'
import { traceSettings } from '@corrigenda/core/tracing'
import { z } from 'zod'
import { groupNames, groupRoles, oidcScopes } from './group-settings.ts'

/**
 * Public URL of the service for browsers. Must be a bare origin, because pages and cookies use the
 * root path.
 */
const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://corrigenda.example.com' })
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => new URL(text).origin === text.toLowerCase(), 'must have no path, user name or query')

/** Origins of web pages, separated by commas, as browsers send them in `Origin`. */
const origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(
    (list) => list.every((text) => /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text),
    {
      message: 'must be origins without a path, such as https://app.example.com, separated by commas',
    },
  )

/** Email addresses, or whole domains such as `@example.com`, separated by commas. */
const emails = z.string().transform((text, context) =>
  text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => {
      if (part === '' || /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(part)) return part !== ''
      context.addIssue('must be email addresses, or domains such as @example.com, separated by commas')
      return false
    }),
)

/** Model ids, separated by commas. */
const models = z.string().transform((text) =>
  text
    .split(',')
    .map((model) => model.trim())
    .filter(Boolean),
)
/** Aliases of models, as `alias=id` separated by commas. */
const modelAliases = z
  .string()
  .transform((text) =>
    text.split(',').map((entry) =>
      entry
        .trim()
        .split(/=(.*)/s, 2)
        .map((part) => part.trim()),
    ),
  )
  .refine(
    (entries) => entries.every(([alias = '', id = '']) => /^[a-z][a-z0-9-]{0,39}$/.test(alias) && isModelId(id)),
    {
      message: 'must be alias=model-id entries separated by commas, such as sonnet=eu.anthropic.claude-sonnet-5-5',
    },
  )
  .transform((entries): ModelAliases => Object.fromEntries(entries))

const isModelId = (text: string): boolean => JobRequest.shape.model.unwrap().safeParse(text).success

/** Settings of the API. `docs/configuration.md` is generated from them. */
export const Settings = z.object({
  ...serviceSettings,
  ...traceSettings,
  CORRIGENDA_SECRET: z
    .string('is required: at least 32 random characters (openssl rand -hex 32)')
    .min(32, 'must have at least 32 characters'),
  HOST: z.string().default('0.0.0.0'),
  PORT: integer(0, 65_535).default(8080),
  MODEL: z.string().default('claude-sonnet-5-5'),
  ALLOWED_MODELS: models.optional(),
  MODEL_ALIASES: modelAliases.default({}),
  JOB_RATE_LIMIT: integer(1, 1_000_000).default(100),
  JOB_RATE_WINDOW_SECONDS: integer(1, 31_536_000).default(3600),
  MESSAGE_RATE_LIMIT: integer(1, 1_000_000).default(100),
  EDGE_RATE_LIMIT: integer(1, 10_000_000).default(12_000),
  SESSION_MAX_DAYS: integer(1, 3650).default(90),
  CALLER_RATE_LIMIT: integer(1, 10_000_000).optional(),
  FAILED_AUTH_RATE_LIMIT: integer(1, 10_000_000).default(300),
  SSE_MAX_STREAMS: integer(1, 1_000_000).default(2000),
  CORS_ORIGINS: origins.default([]),
  DATABASE_CONNECTIONS: integer(2, 1000).default(20),
  TRUST_PROXY: trustedProxies.optional(),
  PUBLIC_URL: publicUrl.optional(),
  PASSWORD_SIGN_IN: trueOrFalse.default('true'),
  GITHUB_OAUTH_CLIENT_ID: z.string().optional(),
  GITHUB_OAUTH_CLIENT_SECRET: z.string().optional(),
  // Keys and secrets are exchanged with this URL (OpenID Connect Discovery 1.0, 7.2).
  OIDC_ISSUER: z
    // The next check needs a URL.
    .url({ error: 'must be the URL of the issuer', abort: true })
    .refine((text) => isSafeUrl(new URL(text)), 'must be https, or http on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(50).default('Single sign-on'),
  OIDC_SCOPES: oidcScopes.default(['openid', 'email', 'profile']),
  OIDC_GROUPS_CLAIM: z.string().max(200).default('groups'),
  OIDC_ADMIN_GROUPS: groupNames.default([]),
  OIDC_GROUP_ROLES: groupRoles.default([]),
  SIGN_IN_ALLOWED_EMAILS: emails.default([]),
  GITHUB_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
})

const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
