import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildCallModel, type CallModelOptions } from '../model/call-model.ts'
import type { ModelReply, ModelRequest } from '../model/model-call.ts'
import { ModelError } from '../model/model-error.ts'

/** Writes the raw response to one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const KEY = 'sk-ant-test-0123456789abcdef'

/**
 * Starts a server that sends these responses in order, then repeats the last one. Records the
 * requests.
 */
export async function serve(...answers: Answer[]) {
  const requests: { headers: IncomingMessage['headers']; body: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    const entry = { headers: request.headers, body: '', at: Date.now() }
    requests.push(entry)
    for await (const chunk of request) entry.body += String(chunk)
    answer?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export const fail =
  (
    status: number,
    error: object = { type: 'api_error', message: 'No.' },
    headers: Record<string, string> = {},
  ): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers })
    response.end(JSON.stringify({ type: 'error', error }))
  }

export const event = (response: ServerResponse, type: string, data: object = {}) =>
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)

export const open: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_2' })
  const usage = { input_tokens: 11, cache_read_input_tokens: 22, cache_creation_input_tokens: 33, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  event(response, 'message_start', { message })
}

export const say = (response: ServerResponse, json: string, stop = 'tool_use') => {
  event(response, 'content_block_start', {
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'view', input: {} },
  })
  event(response, 'content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: json } })
  event(response, 'content_block_stop', { index: 0 })
  const stop_details = stop === 'refusal' ? { type: 'refusal', category: 'cyber', explanation: null } : null
  event(response, 'message_delta', { delta: { stop_reason: stop, stop_details }, usage: { output_tokens: 44 } })
  event(response, 'message_stop')
  response.end()
}

export const good: Answer = (response, request) => {
  open(response, request)
  say(response, '{"path":"a.md"}')
}

export const REQUEST: ModelRequest = { model: 'm', max_tokens: 16_000, messages: [{ role: 'user', content: 'hi' }] }

interface TestCaller {
  /** Scheduled waits before retries, in milliseconds. */
  readonly waits: number[]
  call(signal?: AbortSignal, timeoutMs?: number): Promise<ModelReply>
}

/** Builds a `CallModel` for this server and records its waits. */
export function build(url: string, options: Partial<CallModelOptions> = {}): TestCaller {
  const waits: number[] = []
  const callModel = buildCallModel({
    apiKey: KEY,
    baseUrl: url,
    firstWaitMs: 1,
    onRetry: (_, waitMs) => waits.push(waitMs),
    ...options,
  })
  return {
    waits,
    call: (signal: AbortSignal = new AbortController().signal, timeoutMs?: number): Promise<ModelReply> =>
      callModel(REQUEST, { signal, ...(timeoutMs ? { timeoutMs } : {}) }),
  }
}

export async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ModelError)) throw new Error('expected a ModelError', { cause: error })
  return error
}
