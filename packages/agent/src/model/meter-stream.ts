import type Anthropic from '@anthropic-ai/sdk'
import type { TurnUsage } from './transcript.ts'

/** Characters of a token, when nobody counted. */
const CHARS_PER_TOKEN = 4

export interface StreamMeter {
  add(event: Anthropic.MessageStreamEvent): void
  /** What the stream has used so far; null before it has begun. A stream that is cut never tells its output, so that is estimated. */
  read(): TurnUsage | null
}

/** Follows a streamed reply, so that one that breaks off is paid for in the budgets as it is at the provider. */
export function meterStream(): StreamMeter {
  let begun: TurnUsage | null = null
  let characters = 0
  return {
    add(event) {
      if (event.type === 'message_start') begun = toTurnUsage(event.message.usage)
      if (event.type === 'content_block_delta') characters += countCharacters(event.delta)
      if (event.type === 'message_delta' && begun !== null) {
        characters = 0
        begun = { ...begun, outputTokens: event.usage.output_tokens ?? begun.outputTokens }
      }
    },
    read: () =>
      begun === null
        ? null
        : { ...begun, outputTokens: Math.max(begun.outputTokens, Math.ceil(characters / CHARS_PER_TOKEN)) },
  }
}

/** Fields that a server does not know count as nothing. */
export function toTurnUsage(usage: Partial<Anthropic.Usage> | null | undefined): TurnUsage {
  return {
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    cacheReadTokens: usage?.cache_read_input_tokens ?? 0,
    cacheWriteTokens: usage?.cache_creation_input_tokens ?? 0,
  }
}

function countCharacters(delta: Anthropic.RawContentBlockDelta): number {
  if (delta.type === 'text_delta') return delta.text.length
  if (delta.type === 'input_json_delta') return delta.partial_json.length
  return delta.type === 'thinking_delta' ? delta.thinking.length : 0
}
