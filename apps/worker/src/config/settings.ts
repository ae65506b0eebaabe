import os from 'node:os'
import path from 'node:path'
import { ANTHROPIC_URL, customHeaders, httpUrl, MAX_CALLS, modelFacts, onOff } from '@corrigenda/agent/model'
import { amount, gitHostTokens, hosts, integer, number, serviceSettings } from '@corrigenda/core/runtime'
import { traceSettings } from '@corrigenda/core/tracing'
import { z } from 'zod'

/** Settings of a worker. `docs/configuration.md` is generated from them. */
export const Settings = z.object({
  ...serviceSettings,
  ...traceSettings,
  CORRIGENDA_SECRET: z.string('is required. Use the same value as the API').min(32, 'must have at least 32 characters'),
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
  GIT_HOST_TOKENS: gitHostTokens.default(new Map()),
  GITHUB_APP_ID: z.string().optional(),
  GITHUB_APP_PRIVATE_KEY: z.string().optional(),
  PUBLIC_URL: z.url('must be a URL').optional(),
  WORKER_CONCURRENCY: integer(1, 200).default(4),
  CACHE_DIR: z.string().default(path.join(os.tmpdir(), 'corrigenda-cache')),
  MAX_REPOSITORY_MB: integer(1, 4096).default(256),
  MAX_REPOSITORY_FILES: integer(1000, 1_000_000).default(100_000),
  // Lease duration for runs and deployments. Must exceed core's DATABASE_LIMITS and QUEUE_LOCK_MS
  // (see config.test.ts).
  LEASE_SECONDS: integer(3, 3600).default(10),
  SWEEP_SECONDS: number(0.1, 600).default(1),
  MAX_ATTEMPTS: integer(1, 1000).default(10),
  PROJECT_CONCURRENCY: integer(1, 10_000).default(20),
  MAX_TURNS: integer(1, 1000).default(40),
  MAX_INPUT_TOKENS: integer(1000, 1_000_000_000).default(2_000_000),
  MAX_OUTPUT_TOKENS: integer(100, 1_000_000_000).default(60_000),
  MAX_COST_USD: amount.default(2),
  MAX_JOB_SECONDS: integer(10, 604_800).default(1200),
  RETAIN_TRANSCRIPTS_DAYS: integer(1, 36_500).optional(),
  RETAIN_JOBS_DAYS: integer(1, 36_500).optional(),
  RETAIN_AUDIT_DAYS: integer(90, 36_500).optional(),
  HEALTH_PORT: integer(0, 65_535).optional(),
})

/** Values of LEASE_SECONDS and SWEEP_SECONDS if they are not set, in seconds. */
export const DEFAULT_LEASE_SECONDS = Settings.shape.LEASE_SECONDS.parse(undefined)
export const DEFAULT_SWEEP_SECONDS = Settings.shape.SWEEP_SECONDS.parse(undefined)
