import { JobRequest, Role } from '@corrigenda/contracts'
import type { GroupRole } from '@corrigenda/core/accounts'
import type { ModelAliases } from '@corrigenda/core/jobs'
import { isLoopback } from '@corrigenda/core/projects'
import { integer, serviceSettings, trueOrFalse, trustedProxies } from '@corrigenda/core/runtime'
import { traceSettings } from '@corrigenda/core/tracing'
import { z } from 'zod'

const NAME_LENGTH = 1000

/** Strings separated by commas, or a JSON array of strings if one of them contains a comma. */
const strings = z.string().transform((text, context): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split(',').flatMap((part) => part.trim() || [])
  const parsed = z.array(z.string().trim().min(1)).safeParse(parse(text))
  if (parsed.success) return parsed.data
  context.addIssue('must be values separated by commas, or a JSON array of strings')
  return z.NEVER
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Names of groups at the identity provider. */
const groupNames = strings.refine((names) => names.every((name) => name.length <= NAME_LENGTH), {
  message: `must not contain a name with more than ${NAME_LENGTH} characters`,
})

/** Everything before the last `=` is the group, so a name such as `cn=docs` needs no quoting. */
const RULE = /^(?<group>.{1,1000})=(?<projectId>prj_[0-9a-z]+):(?<role>[a-z]+)$/s

/** Roles that groups give to their members: `group=project:role`. */
const groupRoles = strings.transform((rules, context): GroupRole[] => {
  const seen = new Set<string>()
  return rules.flatMap((rule) => {
    const { group = '', projectId = '', role } = RULE.exec(rule)?.groups ?? {}
    const known = Role.safeParse(role)
    const key = `${projectId} ${group}`
    if (!known.success) {
      context.addIssue(
        `"${rule}" must be group=project:role with a project ID and the role ${Role.options.join(', ')}, such as writers=prj_01abc:member. If a name contains a comma, write a JSON array`,
      )
    } else if (seen.has(key)) context.addIssue(`maps the group "${group}" to ${projectId} more than once`)
    seen.add(key)
    return known.success ? [{ group: group.trim(), projectId, role: known.data }] : []
  })
})

/** OAuth scopes, separated by spaces (RFC 6749, 3.3). */
const oidcScopes = z
  .string()
  .transform((text) => text.split(/\s+/).filter(Boolean))
  .refine((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), {
    message: 'must be scopes separated by spaces',
  })
  .refine((scopes) => scopes.includes('openid'), { message: 'must contain openid' })

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
  GIT_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  GITHUB_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
})

const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
