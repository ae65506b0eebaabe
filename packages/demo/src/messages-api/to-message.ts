import { type Answer, type AnswerBlock, estimateAnswerTokens } from './build-answer.ts'
import type { InputUsage } from './meter-usage.ts'

/** `usage` of a whole message, with the fields the API always sends. */
export function toUsage(input: InputUsage, outputTokens: number): Record<string, unknown> {
  if (input.cache_creation === undefined) return { ...input, output_tokens: outputTokens }
  return {
    ...input,
    output_tokens: outputTokens,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
    inference_geo: null,
  }
}

/** A message without content, as `message_start` carries it. */
export function toEmptyMessage(id: string, model: string, input: InputUsage): Record<string, unknown> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: toUsage(input, 1),
  }
}

/** The whole message of a JSON answer. */
export function toMessage(id: string, model: string, input: InputUsage, answer: Answer): Record<string, unknown> {
  return {
    ...toEmptyMessage(id, model, input),
    content: answer.content.map(toWholeBlock),
    stop_reason: answer.stopReason,
    stop_details: answer.stopDetails,
    usage: toUsage(input, estimateAnswerTokens(answer.content)),
  }
}

/** A call whose JSON was cut short has an empty input, as a stream read to its end has. */
export function toWholeBlock(block: AnswerBlock): Record<string, unknown> {
  if (block.type === 'text') return { ...block, citations: null }
  if (block.type === 'thinking') return { ...block }
  const { type, id, name, json } = block
  return { type, id, name, input: parseInput(json), caller: { type: 'direct' } }
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
