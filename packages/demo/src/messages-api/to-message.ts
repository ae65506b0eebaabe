import { type Answer, type AnswerBlock, estimateAnswerTokens } from './build-answer.ts'
import type { InputUsage } from './meter-usage.ts'

/** Returns the `usage` field of a complete message, with the fields that the API always sends. */
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

/** Returns a message without content, as in `message_start`. */
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

/** Returns the complete message of a JSON response. */
export function toMessage(id: string, model: string, input: InputUsage, answer: Answer): Record<string, unknown> {
  return {
    ...toEmptyMessage(id, model, input),
    content: answer.content.map(toWholeBlock),
    stop_reason: answer.stopReason,
    stop_details: answer.stopDetails,
    usage: toUsage(input, estimateAnswerTokens(answer.content)),
  }
}

/**
 * Returns a complete block. A call whose JSON was truncated has an empty input, as it does for
 * clients that read the entire stream.
 */
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
