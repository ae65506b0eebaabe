import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ApiError, refuse, toErrorBody } from './api-error.ts'
import { buildAnswer } from './build-answer.ts'
import { isObject } from './json-object.ts'
import { type Listening, listenOnLoopback } from './listen.ts'
import type { MessagesRequest } from './messages-request.ts'
import { meterUsage, type PromptCache } from './meter-usage.ts'
import type { ModelScript } from './model-script.ts'
import { readBody } from './read-body.ts'
import { hashPrefixes, hashText } from './sign-thinking.ts'
import { streamAnswer } from './stream-answer.ts'

const MIN_CACHE_TOKENS = 1_024

interface ModelServerOptions {
  modelScript: ModelScript
  /** The only model ID that the server accepts. */
  model: string
}

export interface ModelServer extends Listening {
  /** A random bearer token. */
  key: string
}

/**
 * Starts a model on loopback that serves the streaming part of the Messages API: `POST
 * /v1/messages` with `stream: true`. It checks only a few fields of the request body. The testkit's
 * server validates requests as the real API does.
 */
export async function startModelServer({ modelScript, model }: ModelServerOptions): Promise<ModelServer> {
  const key = `sk-ant-local-${randomBytes(18).toString('hex')}`
  const cache: PromptCache = new Map()
  const server = createServer((incoming, response) => {
    const requestId = `req_${randomBytes(12).toString('hex')}`
    response.setHeader('request-id', requestId)
    answerRequest(incoming, response).catch((error: unknown) => sendError(response, requestId, error))
  })

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    assertKey(key, incoming)
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    if (incoming.method !== 'POST' || pathname !== '/v1/messages') throw new ApiError(404, 'Not Found')
    const request = toRequest(await readBody(incoming), model)
    const turn = modelScript(request)
    const answer = buildAnswer(request, turn, hashPrefixes(request).at(-1) ?? '')
    const input = meterUsage(cache, request, MIN_CACHE_TOKENS, Date.now())
    const id = `msg_${randomBytes(12).toString('hex')}`
    await streamAnswer(response, { id, model, input, answer, paceMs: turn.paceMs ?? 0, signal: disconnected.signal })
  }

  return { key, ...(await listenOnLoopback(server)) }
}

/** @throws ApiError 401 */
function assertKey(key: string, { headers }: IncomingMessage): void {
  const sent = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if (timingSafeEqual(Buffer.from(hashText(sent)), Buffer.from(hashText(key)))) return
  throw new ApiError(401, 'Invalid bearer token')
}

/** @throws ApiError 400, or 404 for a different model */
function toRequest(body: unknown, model: string): MessagesRequest {
  if (!isObject(body) || !Array.isArray(body.messages) || typeof body.max_tokens !== 'number') {
    refuse('The request body must be an object with `messages` and `max_tokens`')
  }
  if (body.model !== model) throw new ApiError(404, `model: ${String(body.model)}`)
  if (body.stream !== true) refuse('stream: this server only supports streaming')
  return body as unknown as MessagesRequest
}

function sendError(response: ServerResponse, requestId: string, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : new ApiError(500, `The scripted model failed: ${String(thrown)}`)
  if (response.headersSent) return void response.destroy()
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers })
  response.end(JSON.stringify(toErrorBody(error, requestId)))
}
