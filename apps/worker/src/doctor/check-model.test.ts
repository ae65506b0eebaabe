import {
  gatewayProfile,
  localProfile,
  type ModelScript,
  type ServerProfile,
  startMessagesApi,
} from '@corrigenda/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { loadWorkerConfig } from '../config/config.ts'
import { checkModel } from './check-model.ts'

/** Follows the doctor's instructions: calls the tool, then repeats its result. */
const followInstructions: ModelScript = ({ messages }) => {
  const code = /The code: (\d+)/.exec(JSON.stringify(messages))?.[1]
  if (code !== undefined) return { content: [{ type: 'text', text: code }] }
  return { content: [{ type: 'tool_use', name: 'read_code', input: { part: 'docs' } }] }
}

async function check(
  env: Record<string, string>,
  options: { profile?: ServerProfile; modelScript?: ModelScript; contextTokens?: number; model?: string } = {},
) {
  const { profile, modelScript = followInstructions, contextTokens, model = 'claude-sonnet-5-5' } = options
  const api = await startMessagesApi({
    modelScript,
    ...(profile ? { profile } : {}),
    ...(contextTokens ? { contextTokens } : {}),
  })
  onTestFinished(() => api.close())
  const settings = { DATABASE_URL: 'postgresql://u@h/db', CORRIGENDA_SECRET: 's'.repeat(32), MODEL_RETRIES: '0' }
  const given = { ...settings, ANTHROPIC_API_KEY: api.key, ANTHROPIC_BASE_URL: api.url, ...env }
  const findings = await checkModel(loadWorkerConfig(given), model)
  expect(JSON.stringify(findings)).not.toContain(given.ANTHROPIC_API_KEY)
  const text = (subject: string) => findings.find((one) => one.subject === subject)?.text
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]))
  return { api, states, text }
}

it('reports streaming, tools, caching, strict tools and thinking', async () => {
  const { api, states, text } = await check({})
  expect(states).toEqual({
    Model: 'ok',
    'Model tools': 'ok',
    'Model caching': 'ok',
    'Model strict tools': 'ok',
    'Model thinking': 'ok',
  })
  expect(text('Model')).toMatch(/^claude-sonnet-5-5 responds at 127\.0\.0\.1:\d+, streamed, \d+ ms per turn$/)
  expect(text('Model caching')).toMatch(/^works, [1-9]\d{3} tokens read/)
  expect(text('Model thinking')).toBe('model default, used')
  expect(api.rejected()).toEqual([])
  expect(api.requests).toHaveLength(2)
})

it('reports which settings to change when a local server has no caching and its model has no price', async () => {
  const { states, text } = await check({ MODEL_AUTH: 'none' }, { profile: localProfile(), model: 'qwen' })
  expect(states).toMatchObject({
    Model: 'ok',
    'Model tools': 'ok',
    'Model caching': 'warning',
    'Model price': 'warning',
  })
  expect(text('Model caching')).toContain('MODEL_CACHING=off')
  expect(text('Model price')).toContain('MODELS')
  const off = await check({ MODEL_AUTH: 'none', MODEL_CACHING: 'off' }, { profile: localProfile() })
  expect(off.states['Model caching']).toBe('ok')
})

it.each<[name: string, profile: ServerProfile, env: Record<string, string>, text: RegExp]>([
  ['caching', gatewayProfile(['cache_control']), {}, /It works with MODEL_CACHING=off\.$/],
  ['strict', gatewayProfile(['strict']), {}, /It works with MODEL_STRICT=off\.$/],
  ['two', gatewayProfile(['strict', 'cache_control']), {}, /It works with MODEL_CACHING=off and MODEL_STRICT=off\.$/],
  [
    'two of three features rejected',
    gatewayProfile(['strict', 'effort']),
    { MODEL_EFFORT: 'low', MODEL_THINKING: 'adaptive' },
    /It works with MODEL_STRICT=off and MODEL_EFFORT= \(empty\)\.$/,
  ],
])('finds the settings that make the model work: %s', async (_, profile, env, expected) => {
  const { states, text } = await check({ MODEL_AUTH: 'x-api-key', ...env }, { profile })
  expect(states).toEqual({ Model: 'problem' })
  expect(text('Model')).toMatch(expected)
})

it('suggests the other authentication header when the key is rejected', async () => {
  const { states, text } = await check({}, { profile: gatewayProfile() })
  expect(states).toEqual({ Model: 'problem' })
  expect(text('Model')).toContain('MODEL_AUTH=x-api-key')
  expect((await check({ ANTHROPIC_API_KEY: 'sk-ant-wrong-0123456789' })).states).toEqual({ Model: 'problem' })
})

it('reports a model that calls no tools and a server that truncates prompts as problems', async () => {
  const { states } = await check({}, { modelScript: () => ({ content: [{ type: 'text', text: 'Hello.' }] }) })
  expect(states).toMatchObject({ Model: 'ok', 'Model tools': 'problem' })
  const cut = await check({ MODEL_AUTH: 'none' }, { profile: localProfile('truncate'), contextTokens: 1000 })
  expect(cut.states['Model context']).toBe('problem')
  expect(cut.text('Model context')).toContain('MODEL_CONTEXT_TOKENS')
})
