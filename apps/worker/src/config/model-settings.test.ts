import { toAgentOptions } from '@corrigenda/agent/loop'
import { ensurePlatform, toPrices } from '@corrigenda/agent/model'
import { CLAUDE_MODELS } from '@corrigenda/core/jobs'
import { expect, test } from 'vitest'
import { listSecrets, loadWorkerConfig } from './config.ts'

const BASE = { DATABASE_URL: 'postgresql://u@h/db', CORRIGENDA_SECRET: 's'.repeat(32) }
const load = (env: Record<string, string>) => loadWorkerConfig({ ...BASE, ...env })

test.each<[env: Record<string, string>, problem: RegExp]>([
  [{}, /ANTHROPIC_API_KEY: is required.*ANTHROPIC_AUTH_TOKEN.*MODEL_AUTH=none/],
  [{ ANTHROPIC_AUTH_TOKEN: 'tok', MODEL_AUTH: 'x-api-key' }, /ANTHROPIC_API_KEY: is required/],
  [{ MODEL_PROVIDER: 'bedrock' }, /AWS_REGION: is required/],
  [
    { MODEL_PROVIDER: 'bedrock', AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'x' },
    /must be set together with AWS_SECRET_ACCESS_KEY/,
  ],
  [{ MODEL_PROVIDER: 'vertex' }, /CLOUD_ML_REGION: is required/],
  [{ MODEL_PROVIDER: 'azure' }, /must be anthropic, bedrock or vertex/],
  [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'ftp://x' }, /ANTHROPIC_BASE_URL: must be a URL/],
  [{ ANTHROPIC_API_KEY: 'k', MODEL_STRICT: 'yes' }, /MODEL_STRICT: must be on or off/],
  [
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_CUSTOM_HEADERS: 'no colon here' },
    /ANTHROPIC_CUSTOM_HEADERS: must be "Name: value"/,
  ],
  [{ ANTHROPIC_API_KEY: 'k', MODELS: '{"m":{"input":1}}' }, /MODELS: must be JSON, for example/],
  [{ ANTHROPIC_API_KEY: 'k', MODELS: '{"m":{"inptu":1}}' }, /MODELS: must be JSON, for example/],
])('rejects %j', (env, problem) => {
  expect(() => load(env)).toThrow(problem)
})

test('reads one custom header per line and redacts the values', () => {
  const headers = { ANTHROPIC_CUSTOM_HEADERS: 'X-Team: docs\\nX-Secret: a-long-secret-value' }
  const config = load({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_VERSION: '2023-06-01', ...headers })
  expect(config.anthropic.headers).toEqual({
    'x-team': 'docs',
    'x-secret': 'a-long-secret-value',
    'anthropic-version': '2023-06-01',
  })
  expect(listSecrets(config)).toContain('a-long-secret-value')
  expect(listSecrets(config)).not.toContain('docs')
  const broken = () => load({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_CUSTOM_HEADERS: 'a-long-secret-value' })
  expect(broken).not.toThrow(/a-long-secret-value/)
})

test('lists every provider credential as a secret', () => {
  const aws = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'the-secret', AWS_SESSION_TOKEN: 'the-session' }
  const bedrock = load({ MODEL_PROVIDER: 'bedrock', AWS_REGION: 'r', AWS_BEARER_TOKEN_BEDROCK: 'the-bearer', ...aws })
  expect(listSecrets(bedrock)).toEqual(expect.arrayContaining(['the-secret', 'the-session', 'the-bearer']))
  expect(listSecrets(load({ ANTHROPIC_AUTH_TOKEN: 'the-token' }))).toContain('the-token')
})

test("limits replies and conversations to the model's context window", () => {
  const MODELS = '{"small":{"contextTokens":32000,"maxOutputTokens":4000}}'
  const config = load({ ANTHROPIC_API_KEY: 'k', MODEL_CONTEXT_TOKENS: '64000', MODELS })
  const options = (model: string) => toAgentOptions(config.agent, config.models, model)
  expect(options('small')).toMatchObject({ maxOutput: 4000, maxOutputLimit: 4000, hardContextTokens: 28_000 })
  expect(options('other')).toMatchObject({ maxOutput: 16_000, maxOutputLimit: 32_000, hardContextTokens: 32_000 })
  for (const model of ['small', 'other']) {
    const { softContextTokens, hardContextTokens } = options(model)
    expect(softContextTokens).toBeLessThan(hardContextTokens)
  }
  const { agent, models } = load({ ANTHROPIC_API_KEY: 'k' })
  expect(toAgentOptions(agent, models, 'claude-sonnet-5-5')).toMatchObject({
    maxOutput: 16_000,
    maxOutputLimit: 32_000,
    softContextTokens: 100_000,
    hardContextTokens: 180_000,
    caching: true,
    strict: true,
    thinking: 'omit',
    effort: null,
    truncationCheck: true,
    fallbackModel: null,
  })
})

test('every Claude model that an alias stands for has a price', () => {
  expect(Object.keys(toPrices({}))).toEqual(expect.arrayContaining(Object.values(CLAUDE_MODELS)))
})

test('finds the model platform packages in the test environment', async () => {
  const vertex = load({ MODEL_PROVIDER: 'vertex', CLOUD_ML_REGION: 'global' }).anthropic
  await ensurePlatform(vertex.platform ?? null)
  await ensurePlatform(null)
})
