import type { ServerResponse } from 'node:http'
import { type Answer, type AnswerBlock, estimateAnswerTokens } from './build-answer.ts'
import type { InputUsage } from './meter-usage.ts'
import { toEmptyMessage } from './to-message.ts'

const maxDeltas = 40
const minDeltaCharacters = 24

interface StreamEvent {
  type: string
  [field: string]: unknown
}

type SendEvent = (event: StreamEvent) => void

/**
 * Writes the headers of an event stream. The returned function writes nothing after the client has
 * disconnected.
 */
export function openEventStream(response: ServerResponse, signal: AbortSignal): SendEvent {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  return (event) => {
    if (!signal.aborted) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
}

export function toStartEvent(id: string, model: string, input: InputUsage): StreamEvent {
  return { type: 'message_start', message: toEmptyMessage(id, model, input) }
}

export function toBlockStart(index: number, block: AnswerBlock): StreamEvent {
  return { type: 'content_block_start', index, content_block: toOpening(block) }
}

export function toBlockDeltas(index: number, block: AnswerBlock): StreamEvent[] {
  return toDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta }))
}

function toBlockStop(index: number): StreamEvent {
  return { type: 'content_block_stop', index }
}

export function toBlockEvents(index: number, block: AnswerBlock): StreamEvent[] {
  return [toBlockStart(index, block), ...toBlockDeltas(index, block), toBlockStop(index)]
}

export function toEndEvents(answer: Answer, input: InputUsage): StreamEvent[] {
  const { cache_creation: _, ...counts } = input
  const delta = {
    delta: { stop_reason: answer.stopReason, stop_sequence: null, stop_details: answer.stopDetails, container: null },
    usage: {
      ...counts,
      output_tokens: estimateAnswerTokens(answer.content),
      ...(input.cache_creation === undefined ? {} : { output_tokens_details: null, server_tool_use: null }),
    },
  }
  return [{ type: 'message_delta', ...delta }, { type: 'message_stop' }]
}

function toOpening(block: AnswerBlock): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: '', citations: null }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } }
}

function toDeltas(block: AnswerBlock): Record<string, unknown>[] {
  if (block.type === 'text') return split(block.text).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'tool_use') {
    return split(block.json).map((json) => ({ type: 'input_json_delta', partial_json: json }))
  }
  const thinking = split(block.thinking).map((part) => ({ type: 'thinking_delta', thinking: part }))
  return [...thinking, { type: 'signature_delta', signature: block.signature }]
}

/**
 * Splits text into small deltas of whole code points, as a model does. Long text is split into
 * larger deltas, so that their number stays at about forty.
 */
function split(text: string): string[] {
  const size = Math.max(minDeltaCharacters, Math.ceil(text.length / maxDeltas))
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
}
