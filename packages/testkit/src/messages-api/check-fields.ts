import { ApiError, isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'
import { refuseExtraKeys, refuseUnlessBoolean, refuseUnlessOneOf } from './json-object.ts'

const shared = ['model', 'messages', 'cache_control', 'output_config', 'speed', 'system', 'thinking', 'tool_choice']
const countFields = new Set([...shared, 'tools'])
const createFields = new Set([
  ...countFields,
  'max_tokens',
  'container',
  'diagnostics',
  'inference_geo',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
])
const maxOutputTokens = 128_000

interface FieldRules {
  counting: boolean
  isKnownModel: (model: string) => boolean
}

/**
 * Checks the names, types and ranges of a request's top-level fields. Messages, tools and cache
 * breakpoints (`cache_control`) are checked separately.
 */
export function checkFields(body: JsonObject, rules: FieldRules): void {
  for (const sampler of ['temperature', 'top_p', 'top_k']) {
    if (sampler in body) refuse(`${sampler}: Extra inputs are not permitted`)
  }
  refuseExtraKeys(body, rules.counting ? countFields : createFields, '')
  if (typeof body.model !== 'string' || body.model === '') refuse('model: Field required')
  if (!rules.isKnownModel(body.model)) throw new ApiError(404, `model: ${body.model}`)
  if (!rules.counting) checkMaxTokens(body)
  checkSystem(body.system)
  checkThinking(body.thinking)
  checkToolChoice(body)
  checkOutputConfig(body.output_config)
  checkSmallFields(body)
}

function checkMaxTokens(body: JsonObject): void {
  const value = body.max_tokens
  if (value === undefined) refuse('max_tokens: Field required')
  if (typeof value !== 'number' || !Number.isInteger(value)) refuse('max_tokens: Input should be a valid integer')
  if (value < 1) refuse('max_tokens: Input should be greater than or equal to 1')
  if (value > maxOutputTokens) {
    refuse(
      `max_tokens: ${value} > ${maxOutputTokens}, which is the maximum allowed number of output tokens for ${body.model}`,
    )
  }
}

function checkSystem(system: unknown): void {
  if (system === undefined || typeof system === 'string') return
  if (!Array.isArray(system)) refuse('system: Input should be a valid string or list of text blocks')
  for (const [index, block] of system.entries()) {
    if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') {
      refuse(`system.${index}: Input should be a text block`)
    }
    refuseExtraKeys(block, new Set(['type', 'text', 'cache_control', 'citations']), `system.${index}`)
    if (block.text.trim() === '') refuse(`system.${index}: text content blocks must contain non-whitespace text`)
  }
}

function checkThinking(thinking: unknown): void {
  if (thinking === undefined) return
  if (!isObject(thinking)) refuse('thinking: Input should be a valid dictionary')
  if (thinking.type !== 'adaptive') {
    refuse(`thinking.type: "${String(thinking.type)}" is not supported for this model. Use "adaptive" or omit it.`)
  }
  refuseExtraKeys(thinking, new Set(['type', 'display']), 'thinking')
  refuseUnlessOneOf(thinking.display, ['summarized', 'omitted', null, undefined], 'thinking.display')
}

function checkToolChoice(body: JsonObject): void {
  const choice = body.tool_choice
  if (choice === undefined) return
  if (!isObject(choice)) refuse('tool_choice: Input should be a valid dictionary')
  if (choice.type !== 'auto' && choice.type !== 'none') {
    refuse(`tool_choice: forced tool use ("${String(choice.type)}") is not supported for this model`)
  }
  if (!Array.isArray(body.tools) || body.tools.length === 0) {
    refuse('tool_choice: may only be specified while providing tools')
  }
  const keys = choice.type === 'auto' ? ['type', 'disable_parallel_tool_use'] : ['type']
  refuseExtraKeys(choice, new Set(keys), 'tool_choice')
  refuseUnlessBoolean(choice.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use')
}

function checkOutputConfig(config: unknown): void {
  if (config === undefined) return
  if (!isObject(config)) refuse('output_config: Input should be a valid dictionary')
  refuseExtraKeys(config, new Set(['effort', 'format']), 'output_config')
  refuseUnlessOneOf(config.effort, ['low', 'medium', 'high', 'xhigh', 'max', null, undefined], 'output_config.effort')
  if (config.format != null) refuse('output_config.format: structured outputs are not available on this server')
}

function checkSmallFields(body: JsonObject): void {
  refuseUnlessBoolean(body.stream, 'stream')
  refuseUnlessOneOf(body.service_tier, ['auto', 'standard_only', undefined], 'service_tier')
  refuseUnlessOneOf(body.speed, ['standard', null, undefined], 'speed')
  if (body.container != null) refuse('container: server tools are not available on this server')
  if (body.metadata !== undefined) {
    if (!isObject(body.metadata)) refuse('metadata: Input should be a valid dictionary')
    refuseExtraKeys(body.metadata, new Set(['user_id']), 'metadata')
  }
  if (body.diagnostics != null) {
    if (!isObject(body.diagnostics)) refuse('diagnostics: Input should be a valid dictionary')
    refuseExtraKeys(body.diagnostics, new Set(['previous_message_id']), 'diagnostics')
  }
  if (body.stop_sequences !== undefined) {
    const sequences = body.stop_sequences
    if (!Array.isArray(sequences) || sequences.some((one) => typeof one !== 'string')) {
      refuse('stop_sequences: Input should be a valid list of strings')
    }
    if (sequences.some((one) => one.trim() === ''))
      refuse('stop_sequences: each stop sequence must contain non-whitespace')
  }
}
