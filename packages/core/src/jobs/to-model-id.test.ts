import { expect, test } from 'vitest'
import { buildModelAliases, toModelId } from './to-model-id.ts'

const build = (defaultModel: string, configured = {}) => buildModelAliases({ defaultModel, configured })

test('with a Claude model of the Messages API, the aliases stand for Claude models, and one for the default model', () => {
  expect(build('claude-sonnet-5-5')).toEqual({
    sonnet: 'claude-sonnet-5-5',
    opus: 'claude-opus-5-5',
    haiku: 'claude-haiku-5-5',
  })
  expect(build('claude-opus-4-8')).toMatchObject({ sonnet: 'claude-sonnet-5-5', opus: 'claude-opus-4-8' })
})

test.each(['eu.anthropic.claude-opus-5-5-v1:0', 'claude-opus-5-5@20261001'])(
  'with %s, only its own alias is known, because other ids of that provider are not',
  (id) => {
    expect(build(id)).toEqual({ opus: id })
  },
)

test('configured aliases take precedence and can have any name', () => {
  const aliases = build('claude-sonnet-5-5', { sonnet: 'qwen3-coder', fast: 'small' })
  expect([toModelId(aliases, 'sonnet'), toModelId(aliases, 'fast')]).toEqual(['qwen3-coder', 'small'])
})

test('a name that is not an alias is a model id, and an alias that the service does not know is rejected', () => {
  expect(toModelId({}, 'claude-sonnet-5-5')).toBe('claude-sonnet-5-5')
  expect(toModelId({}, 'toString')).toBe('toString')
  expect(() => toModelId(build('qwen3-coder'), 'sonnet')).toThrow(/which model "sonnet" is.*MODEL_ALIASES/)
})
