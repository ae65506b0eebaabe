import type Anthropic from '@anthropic-ai/sdk'
import type { TurnUsage } from './transcript.ts'

/** Estimated characters per token, used when the API has not reported a count. */
const CHARS_PER_TOKEN = 4

export interface StreamMeter {
  add(event: Anthropic.MessageStreamEvent): void
  /**
   * Returns the stream's usage so far, or null before the stream has started. An interrupted stream
   * never reports its output tokens, so they are estimated.
   */
  read(): TurnUsage | null
}

/**
 * Meters a streamed reply, so that an interrupted reply counts toward the budgets. The provider
 * also bills interrupted replies.
 */
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

/** Converts the API's usage. Fields that a server does not support count as 0. */
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
