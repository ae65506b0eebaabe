import type { ServerResponse } from 'node:http'
import { errorTypeOf } from './api-error.ts'
import { type Answer, type AnswerBlock, estimateAnswerTokens } from './build-answer.ts'
import type { Fault } from './fault.ts'
import type { InputUsage } from './meter-usage.ts'
import { pause } from './pause.ts'
import { toEmptyMessage } from './to-message.ts'

const maxDeltas = 40
const minDeltaCharacters = 24

export type StreamInput = {
  id: string
  model: string
  input: InputUsage
  answer: Answer
  fault: Fault | null
  paceMs: number
  /** Wait for whatever keeps the answer back, calling `ping` meanwhile. */
  wait: (ping: () => void) => Promise<void>
  /** Aborts when the client is gone. */
  signal: AbortSignal
}

/** How a stream came to its end. `error` was told to the client, `cut` was not. */
export type StreamEnd = 'complete' | 'error' | 'cut' | 'aborted'

/** Send an answer as server-sent events, headers included, and break it off where the fault says. */
export async function streamAnswer(response: ServerResponse, stream: StreamInput): Promise<StreamEnd> {
  const { answer, fault, input, signal } = stream
  const send = (type: string, data: object) => {
    if (!signal.aborted) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  send('message_start', { message: toEmptyMessage(stream.id, stream.model, input) })
  send('ping', {})
  await stream.wait(() => send('ping', {}))
  for (const [index, block] of answer.content.entries()) {
    await pause(stream.paceMs, signal)
    if (signal.aborted) return 'aborted'
    const half = fault?.kind === 'cut' && fault.afterBlock === undefined && index === answer.content.length - 1
    sendBlock(send, index, block, half)
    if (half) return breakOff(response)
    if (fault?.kind === 'cut' && fault.afterBlock === index) return breakOff(response)
    if (fault?.kind === 'stall' && (fault.afterBlock ?? 0) === index) await pause(fault.ms, signal)
    if (fault?.kind === 'sse_error' && (fault.afterBlock ?? 0) === index) {
      send('error', { error: { type: fault.type ?? errorTypeOf(529), message: fault.message ?? 'Overloaded' } })
      response.end()
      return 'error'
    }
  }
  if (signal.aborted) return 'aborted'
  const { cache_creation: _, ...counts } = input
  send('message_delta', {
    delta: { stop_reason: answer.stopReason, stop_sequence: null, stop_details: answer.stopDetails, container: null },
    usage: {
      ...counts,
      output_tokens: estimateAnswerTokens(answer.content),
      ...(input.cache_creation === undefined ? {} : { output_tokens_details: null, server_tool_use: null }),
    },
  })
  send('message_stop', {})
  response.end()
  return 'complete'
}

/** Let what was written reach the client, then reset the connection. */
async function breakOff(response: ServerResponse): Promise<StreamEnd> {
  await new Promise<void>((resolve) => response.write(': \n\n', () => resolve()))
  response.destroy()
  return 'cut'
}

function sendBlock(send: (type: string, data: object) => void, index: number, block: AnswerBlock, half: boolean): void {
  send('content_block_start', { index, content_block: toOpening(block) })
  const deltas = toDeltas(block)
  for (const delta of half ? deltas.slice(0, Math.ceil(deltas.length / 2)) : deltas) {
    send('content_block_delta', { index, delta })
  }
  if (!half) send('content_block_stop', { index })
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

/** Small pieces, as a model writes, but never more than some forty: whole code points. */
function split(text: string): string[] {
  const size = Math.max(minDeltaCharacters, Math.ceil(text.length / maxDeltas))
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
}
