import { z } from 'zod'
import { postgresUrl } from './postgres-url.ts'
import { amount, gitHosts, hookHosts, hosts, integer, logFormat, logLevel, proxyUrl, trueOrFalse } from './read-env.ts'
import { redisSettings } from './redis-settings.ts'

/** Settings that the API and the workers have in common. */
export const serviceSettings = {
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  ...redisSettings,
  CORRIGENDA_SECRET_PREVIOUS: z.string().optional(),
  LOG_LEVEL: logLevel.default('info'),
  LOG_FORMAT: logFormat.default('json'),
  JOB_RATE_WINDOW_SECONDS: integer(1, 31_536_000).default(3600),
  MESSAGE_RATE_LIMIT: integer(1, 1_000_000).default(100),
  MONTHLY_BUDGET_USD: amount.optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
  GIT_HOSTS: gitHosts.default([]),
  ALLOWED_HOOK_HOSTS: hookHosts.default([]),
  GITHUB_API_URL: z.url('must be a URL such as https://github.example.com/api/v3').optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_PROJECT_LABEL: trueOrFalse.default('false'),
  // Node.js reads it.
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  HTTP_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
}
