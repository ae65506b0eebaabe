import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  ApiError,
  hashText,
  listenOnLoopback,
  type MessagesRequest,
  readBody,
  toErrorBody,
} from '@corrigenda/demo/messages-api'
import { answerMessages, countTokens, type Exchange } from './answer-messages.ts'
import type { ApiState } from './api-state.ts'
import { checkHeaders } from './check-headers.ts'
import type { InjectedFault } from './fault.ts'
import { closeBarrier, openBarrier, whenHeldAt } from './hold-requests.ts'
import { getModel, toModelPage } from './list-models.ts'
import type { ModelScript } from './model-script.ts'
import { type RequestRecord, toSafeHeaders } from './request-record.ts'
import { anthropicProfile, type ServerProfile } from './server-profile.ts'
import { openConversations, type Violation } from './track-conversations.ts'

const anyClaude = /^claude-(fable|mythos|opus|sonnet|haiku)-/
const listedModels = ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-fable-5-1', 'rehearsal']

export interface MessagesApiOptions {
  modelScript: ModelScript
  /** The bearer token. Default: a random one. */
  key?: string
  /** Default: 0, which selects a free port. */
  port?: number
  /** Differences from the newest Messages API. Default: none. */
  profile?: ServerProfile
  /** The only accepted model IDs. Default: all Claude models and `rehearsal`. */
  models?: readonly string[]
  /** Maximum number of estimated prompt tokens. Default: 1,000,000. */
  contextTokens?: number
  /** Minimum number of tokens in a cached prefix. Default: 1,024. */
  minCacheTokens?: number
  /** Milliseconds between pings while a response is held back. Default: 1,000. */
  pingMs?: number
  /** Number of most recent records that keep their body. Default: 1,000. */
  keepBodies?: number
  /** Called with each record when its request ends. */
  log?: (record: RequestRecord) => void
}

export interface MessagesApi {
  url: string
  key: string
  /** The transcript, oldest first. It grows while the server runs. */
  requests: readonly RequestRecord[]
  /**
   * Requests that were rejected as invalid, not by a fault, such as `400 messages: …`. Empty after
   * a correct run.
   */
  rejected(): string[]
  /**
   * Requests that did not extend an earlier request in their conversation. Empty after a correct
   * run.
   */
  violations(): readonly Violation[]
  /** Applies a fault to the next matching requests. */
  fault(fault: InjectedFault): void
  /** Holds responses back, with pings, until `release(key)`. */
  hold(key?: string, match?: (request: MessagesRequest) => boolean): void
  /** Releases the responses held with this key, and stops holding later ones. */
  release(key?: string): void
  /** Resolves once a response is held with this key. */
  whenHeld(key?: string): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a strict Messages API on loopback: `POST /v1/messages` (JSON and SSE), `POST
 * /v1/messages/count_tokens`, `GET /v1/models`. It rejects the same requests as the real API as of
 * version 2026-10-21, and responds with the turns from its model script.
 */
export async function startMessagesApi(options: MessagesApiOptions): Promise<MessagesApi> {
  const key = options.key ?? `sk-ant-local-${randomBytes(18).toString('hex')}`
  const { models, keepBodies = 1_000, profile = anthropicProfile } = options
  const state: ApiState = {
    modelScript: options.modelScript,
    profile,
    rules: {
      isKnownModel: (id) =>
        profile.isPlain || (models ? models.includes(id) : anyClaude.test(id) || id === 'rehearsal'),
      contextTokens: options.contextTokens ?? 1_000_000,
    },
    pingMs: options.pingMs ?? 1_000,
    minCacheTokens: options.minCacheTokens ?? 1_024,
    records: [],
    violations: [],
    conversations: openConversations(),
    cache: new Map(),
    faults: { injected: [], happened: new Map() },
    barriers: new Map(),
    holds: [],
  }
  const server = createServer((incoming, response) => {
    const record = openRecord(incoming)
    state.records.push(record)
    delete state.records.at(-1 - keepBodies)?.body
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    response.setHeader('request-id', record.requestId)
    serve(state, key, models ?? listedModels, { incoming, response, record, signal: gone.signal })
      .catch((error: unknown) => sendError(response, record, error))
      .finally(() => {
        record.ms = Date.now() - record.at
        options.log?.(record)
      })
  })
  const { url, close } = await listenOnLoopback(server, options.port)
  return {
    url,
    key,
    requests: state.records,
    rejected: () =>
      state.records
        .filter((record) => record.end === 'refused' && record.fault === undefined)
        .map((record) => `${record.status} ${record.error}`),
    violations: () => state.violations,
    fault: (fault) => {
      state.faults.injected.push(fault)
    },
    hold: (name = 'all', match) => {
      closeBarrier(state.barriers, name)
      state.holds = [...state.holds.filter((hold) => hold.key !== name), { key: name, ...(match ? { match } : {}) }]
    },
    release: (name = 'all') => {
      state.holds = state.holds.filter((hold) => hold.key !== name)
      openBarrier(state.barriers, name)
    },
    whenHeld: (name = 'all') => whenHeldAt(state.barriers, name),
    close,
  }
}

function openRecord(incoming: IncomingMessage): RequestRecord {
  return {
    at: Date.now(),
    method: incoming.method ?? '',
    path: new URL(incoming.url ?? '/', 'http://localhost').pathname,
    headers: toSafeHeaders(incoming.headers),
    requestId: `req_${randomBytes(12).toString('hex')}`,
    status: 0,
    end: 'open',
  }
}

async function serve(state: ApiState, key: string, models: readonly string[], exchange: Exchange): Promise<void> {
  const { incoming, record } = exchange
  const route = `${record.method} ${record.path}`
  const model = /^GET \/v1\/models\/(.+)$/.exec(route)?.[1]
  const known = ['POST /v1/messages', 'POST /v1/messages/count_tokens', 'GET /v1/models'].includes(route) || model
  assertKey(state.profile, key, incoming.headers)
  if (!known) throw new ApiError(404, 'Not Found')
  if (record.method === 'GET') {
    checkHeaders(incoming.headers)
    const isKnown = state.rules.isKnownModel
    return sendJson(exchange, model ? getModel(decodeURIComponent(model), isKnown) : toModelPage(models))
  }
  record.body = await readBody(incoming)
  if (route === 'POST /v1/messages') return answerMessages(state, exchange, record.body)
  return sendJson(exchange, countTokens(state, exchange, record.body))
}

/** @throws ApiError 401 if the key is missing or invalid */
function assertKey({ credential }: ServerProfile, key: string, headers: IncomingHttpHeaders): void {
  if (credential === 'none') return
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const sent = credential === 'bearer' ? bearer : String(headers['x-api-key'] ?? '')
  if (timingSafeEqual(Buffer.from(hashText(sent)), Buffer.from(hashText(key)))) return
  if (credential === 'bearer') throw new ApiError(401, 'Invalid bearer token')
  throw new ApiError(401, sent === '' ? 'x-api-key header is required' : 'invalid x-api-key')
}

function sendJson({ response, record }: Exchange, body: object): void {
  record.status = 200
  record.end = 'complete'
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, record: RequestRecord, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : new ApiError(500, `The scripted model failed: ${String(thrown)}`)
  record.status = error.status
  record.error = error.message
  record.end = 'refused'
  if (response.headersSent) return void response.destroy()
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers })
  response.end(JSON.stringify(toErrorBody(error, record.requestId)))
}
