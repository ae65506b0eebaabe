import { buildBedrockProvider, buildVertexProvider } from '@corrigenda/agent/internal/model/build-provider'
import { startAgent } from '@corrigenda/agent/internal/test-support/start-agent'
import type { AgentResult } from '@corrigenda/agent/loop'
import { toAgentOptions } from '@corrigenda/agent/loop'
import { buildCallModel, toPrices } from '@corrigenda/agent/model'
import {
  buildModelScript,
  gatewayProfile,
  localProfile,
  type MessagesApi,
  type ServerProfile,
  startBedrockFront,
  startMessagesApi,
  startVertexFront,
} from '@corrigenda/testkit'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadWorkerConfig } from './config.ts'

const EDIT = { path: 'start.mdx', old_str: 'Install the tool.', new_str: 'Install it.' }
const modelScript = () =>
  buildModelScript([[{ tool: 'view', input: { path: 'start.mdx' } }], [{ tool: 'edit', input: EDIT }]])
const BASE = {
  DATABASE_URL: 'postgresql://u@h/db',
  CORRIGENDA_SECRET: 's'.repeat(32),
  MODEL_RETRIES: '0',
}

async function startApi(profile?: ServerProfile, contextTokens?: number): Promise<MessagesApi> {
  const api = await startMessagesApi({
    modelScript: modelScript(),
    ...(profile ? { profile } : {}),
    ...(contextTokens ? { contextTokens } : {}),
  })
  onTestFinished(() => api.close())
  return api
}

/** Runs an agent that, like the worker's, is configured only by environment variables. */
async function work(env: Record<string, string>, model = 'claude-sonnet-5-5'): Promise<AgentResult> {
  const config = loadWorkerConfig({ ...BASE, ...env })
  const harness = startAgent({
    input: { model, toModelOptions: (id) => toAgentOptions(config.agent, config.models, id) },
    deps: { prices: toPrices(config.models) },
  })
  const result = await harness.run(buildCallModel({ ...config.anthropic, firstWaitMs: 1 }))
  if (result.kind === 'finished') expect(harness.workspace.text('start.mdx')).toContain('Install it.')
  return result
}

const DONE = { kind: 'finished', outcome: 'changed' }
const stopped = (code: string, message: RegExp) => ({
  kind: 'stopped',
  code,
  message: expect.stringMatching(message),
})
const OFF = { MODEL_CACHING: 'off', MODEL_STRICT: 'off' }
const ALL = gatewayProfile(['cache_control', 'strict', 'thinking', 'effort', 'tool_choice'])

describe('gateways and local servers', () => {
  it.each<[name: string, profile: ServerProfile, env: Record<string, string>]>([
    ['x-api-key', gatewayProfile(), { MODEL_AUTH: 'x-api-key' }],
    ['both headers', gatewayProfile(), { MODEL_AUTH: 'both' }],
    ['without support for newer features', ALL, { MODEL_AUTH: 'x-api-key', ...OFF }],
    [
      'API version and custom header',
      { ...gatewayProfile(), version: '2023-06-01', headers: { 'x-team': 'docs' } },
      { MODEL_AUTH: 'x-api-key', ANTHROPIC_VERSION: '2023-06-01', ANTHROPIC_CUSTOM_HEADERS: 'X-Team: docs' },
    ],
    [
      'thinking and effort enabled',
      gatewayProfile(),
      { MODEL_AUTH: 'both', MODEL_THINKING: 'adaptive', MODEL_EFFORT: 'low' },
    ],
    ['local server', localProfile(), { MODEL_AUTH: 'none' }],
    ['local server, one tool call per turn', localProfile(), { MODEL_AUTH: 'none', MODEL_PARALLEL_CALLS: '1', ...OFF }],
  ])('completes a job when the settings match the server: %s', async (_, profile, env) => {
    const api = await startApi(profile)
    expect(await work({ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: api.key, ...env })).toMatchObject(DONE)
    expect(api.rejected()).toEqual([])
    expect(api.violations()).toEqual([])
  })

  it.each<[name: string, profile: ServerProfile, env: Record<string, string>, code: string, message: RegExp]>([
    ['credential', gatewayProfile(), {}, 'model_unauthorized', /MODEL_AUTH=x-api-key/],
    ['caching', gatewayProfile(['cache_control']), { MODEL_AUTH: 'both' }, 'model_bad_request', /MODEL_CACHING=off/],
    ['strict', gatewayProfile(['strict']), { MODEL_AUTH: 'both' }, 'model_bad_request', /MODEL_STRICT=off/],
    [
      'thinking',
      gatewayProfile(['thinking']),
      { MODEL_AUTH: 'both', MODEL_THINKING: 'adaptive' },
      'model_bad_request',
      /MODEL_THINKING=omit/,
    ],
    [
      'effort',
      gatewayProfile(['effort']),
      { MODEL_AUTH: 'both', MODEL_EFFORT: 'low' },
      'model_bad_request',
      /MODEL_EFFORT=/,
    ],
    [
      'parallel calls',
      gatewayProfile(['tool_choice']),
      { MODEL_AUTH: 'both', MODEL_PARALLEL_CALLS: '1' },
      'model_bad_request',
      /MODEL_PARALLEL_CALLS=8/,
    ],
    [
      'version',
      { ...gatewayProfile(), version: '2023-06-01' },
      { MODEL_AUTH: 'both' },
      'model_bad_request',
      /ANTHROPIC_VERSION to a version/,
    ],
  ])('reports which setting to change: %s', async (_, profile, env, code, message) => {
    const api = await startApi(profile)
    const result = await work({ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: api.key, ...env })
    expect(result).toMatchObject(stopped(code, message))
    expect(JSON.stringify(result)).not.toContain(api.key)
  })

  it('sends a token as a bearer header and a key in x-api-key', async () => {
    const token = await startApi()
    expect(await work({ ANTHROPIC_BASE_URL: token.url, ANTHROPIC_AUTH_TOKEN: token.key })).toMatchObject(DONE)
    const key = await startApi(gatewayProfile())
    const env = { ANTHROPIC_BASE_URL: key.url, ANTHROPIC_API_KEY: key.key, ANTHROPIC_AUTH_TOKEN: 'some-other-token' }
    expect(await work(env)).toMatchObject(DONE)
  })

  it('names MODEL_CONTEXT_TOKENS when the context window is too small', async () => {
    const api = await startApi(localProfile(), 8192)
    const env = { ANTHROPIC_BASE_URL: api.url, MODEL_AUTH: 'none' }
    expect(await work(env)).toMatchObject(stopped('model_bad_request', /maximum context length.*MODEL_CONTEXT_TOKENS/))
    expect(await work({ ...env, MODEL_CONTEXT_TOKENS: '8192' })).toMatchObject(DONE)
  })

  it('stops the run when the server silently truncates prompts, unless the check is off', async () => {
    const api = await startApi(localProfile('truncate'), 500)
    const env = { ANTHROPIC_BASE_URL: api.url, MODEL_AUTH: 'none' }
    expect(await work(env)).toMatchObject(
      stopped(
        'context_truncated',
        /reported 500 tokens .* OLLAMA_CONTEXT_LENGTH.*MODEL_CONTEXT_TOKENS.*MODEL_TRUNCATION_CHECK=off/,
      ),
    )
    expect(await work({ ...env, MODEL_TRUNCATION_CHECK: 'off' })).toMatchObject(DONE)
  })

  it('counts usage reported without cache fields and reads the price of an unknown model from MODELS', async () => {
    const api = await startApi(localProfile())
    const env = { ANTHROPIC_BASE_URL: api.url, MODEL_AUTH: 'none' }
    const free = await work(env, 'qwen')
    expect(free.usage).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null })
    expect(free.usage.inputTokens).toBeGreaterThan(1000)
    const paid = await work({ ...env, MODELS: '{"qwen":{"input":1,"output":2}}' }, 'qwen')
    expect(paid.usage.costUsd).toBeCloseTo((paid.usage.inputTokens + 2 * paid.usage.outputTokens) / 1e6, 9)
  })
})

const KEYS = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-central-1' }
const AWS = {
  MODEL_PROVIDER: 'bedrock',
  AWS_REGION: KEYS.region,
  AWS_ACCESS_KEY_ID: KEYS.id,
  AWS_SECRET_ACCESS_KEY: KEYS.secret,
}

describe('Amazon Bedrock', () => {
  const MODEL = 'eu.anthropic.claude-sonnet-5-5'
  const open = async (options: Partial<Parameters<typeof startBedrockFront>[0]> = {}) => {
    const front = await startBedrockFront({ api: await startApi(), keys: { ...KEYS, sessionToken: null }, ...options })
    onTestFinished(() => front.close())
    return front
  }

  it('signs requests and reads event streams', async () => {
    const front = await open()
    expect(await work({ ...AWS, ANTHROPIC_BEDROCK_BASE_URL: front.url }, MODEL)).toMatchObject({
      ...DONE,
      model: MODEL,
      usage: { costUsd: null, turns: 4 },
    })
    expect(new Set(front.requests.map(({ credential }) => credential))).toEqual(new Set(['signature']))
  })

  it('accepts session tokens and Bedrock API keys', async () => {
    const session = await open({ keys: { ...KEYS, sessionToken: 'the-session-token' } })
    const env = { ...AWS, AWS_SESSION_TOKEN: 'the-session-token', ANTHROPIC_BEDROCK_BASE_URL: session.url }
    expect(await work(env, MODEL)).toMatchObject(DONE)
    const bearer = await open({ apiKey: 'bedrock-api-key-0123456789' })
    const key = { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-api-key-0123456789', ANTHROPIC_BEDROCK_BASE_URL: bearer.url }
    expect(await work({ MODEL_PROVIDER: 'bedrock', AWS_REGION: KEYS.region, ...key }, MODEL)).toMatchObject(DONE)
    expect(bearer.requests[0]?.credential).toBe('bearer')
  })

  it("reports Bedrock's error for a wrong secret", async () => {
    const front = await open()
    const env = { ...AWS, AWS_SECRET_ACCESS_KEY: 'x'.repeat(40), ANTHROPIC_BEDROCK_BASE_URL: front.url }
    const result = await work(env, MODEL)
    expect(result).toMatchObject(stopped('model_unauthorized', /signature we calculated does not match/))
  })

  it('retries after an exception in the stream and counts the tokens used before it', async () => {
    const undisturbed = await work({ ...AWS, ANTHROPIC_BEDROCK_BASE_URL: (await open()).url }, MODEL)
    const exception = { type: 'throttlingException', message: 'Too many requests' }
    const front = await open({ exception })
    const env = { ...AWS, MODEL_RETRIES: '1', ANTHROPIC_BEDROCK_BASE_URL: front.url }
    const result = await work(env, MODEL)
    expect(result).toMatchObject({ ...DONE, usage: { turns: 4 } })
    const read = ({ usage }: AgentResult) => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
    expect(read(result)).toBeGreaterThan(read(undisturbed))
  })
})

describe('Google Vertex AI', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('puts the model in the URL and gets the token from the metadata server', async () => {
    const front = await startVertexFront({ api: await startApi(), project: 'acme', region: 'europe-west1' })
    onTestFinished(() => front.close())
    vi.stubEnv('GCE_METADATA_HOST', front.metadataHost)
    vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present')
    const env = { MODEL_PROVIDER: 'vertex', CLOUD_ML_REGION: 'europe-west1', ANTHROPIC_VERTEX_BASE_URL: front.url }
    const model = 'claude-sonnet-5-5@20261021'
    expect(await work({ ...env, ANTHROPIC_VERTEX_PROJECT_ID: 'acme' }, model)).toMatchObject({ ...DONE, model })
    expect(front.requests).toContain(
      '/projects/acme/locations/europe-west1/publishers/anthropic/models/claude-sonnet-5-5@20261021:streamRawPredict',
    )
    expect(front.requests.some((path) => path.endsWith('/token'))).toBe(true)
  })
})

describe('a platform whose package is not installed', () => {
  const missing = () =>
    Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }))
  const transport = { fetch: globalThis.fetch, timeoutMs: 1000 }

  it('reports on a single line which package to install', async () => {
    const bedrock = { kind: 'bedrock', region: 'r', baseUrl: null, apiKey: null, keys: null } as const
    await expect(buildBedrockProvider(bedrock, {}, missing).openClient(transport)).rejects.toThrow(
      /^MODEL_PROVIDER=bedrock requires .* add @anthropic-ai\/bedrock-sdk@1\.1\.2", .*$/,
    )
    const vertex = { kind: 'vertex', region: 'r', projectId: null, baseUrl: null } as const
    await expect(buildVertexProvider(vertex, {}, missing).openClient(transport)).rejects.toThrow(
      /^MODEL_PROVIDER=vertex requires .* add @anthropic-ai\/vertex-sdk@1\.1\.3", .*$/,
    )
  })
})
