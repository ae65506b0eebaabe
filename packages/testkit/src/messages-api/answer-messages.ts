import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  ApiError,
  estimateAnswerTokens,
  hashPrefixes,
  type MessagesRequest,
  meterUsage,
  pause,
  toMessage,
  toUsage,
  toWholeBlock,
} from '@corrigenda/demo/messages-api'
import type { ApiState } from './api-state.ts'
import { buildFaultyAnswer } from './build-faulty-answer.ts'
import { checkConversation, checkShape, checkWindow, estimatePromptTokens } from './check-request.ts'
import type { Fault } from './fault.ts'
import { waitAtBarrier } from './hold-requests.ts'
import type { ModelTurn } from './model-script.ts'
import { pickFault } from './pick-fault.ts'
import type { RequestRecord } from './request-record.ts'
import { checkProfile } from './server-profile.ts'
import { type StreamEnd, streamFaultyAnswer } from './stream-faulty-answer.ts'
import { findViolation, rememberAnswer } from './track-conversations.ts'

export interface Exchange {
  incoming: IncomingMessage
  response: ServerResponse
  record: RequestRecord
  signal: AbortSignal
}

/**
 * Handles `POST /v1/messages/count_tokens`.
 * @throws ApiError if the request is rejected
 */
export function countTokens(state: ApiState, exchange: Exchange, body: unknown): Record<string, unknown> {
  const rules = { ...state.rules, counting: true }
  const request = checkShape(body, exchange.incoming.headers, rules)
  checkConversation(request, rules)
  return { input_tokens: estimatePromptTokens(request) }
}

/**
 * Handles `POST /v1/messages`, as JSON or as a stream.
 * @throws ApiError if the request is rejected or a fault requires it
 */
export async function answerMessages(state: ApiState, exchange: Exchange, body: unknown): Promise<void> {
  const { record, response, signal } = exchange
  const rules = { ...state.rules, counting: false }
  const { profile } = state
  checkProfile(profile, exchange.incoming.headers, body)
  const request = checkShape(body, exchange.incoming.headers, rules)
  const violation = findViolation(state.conversations, request)
  if (violation) state.violations.push({ request: state.records.indexOf(record), ...violation })
  if (profile.isPlain) checkWindow(request, rules, profile.overflow)
  else checkConversation(request, rules)
  const turn = state.modelScript(request)
  if (turn.label !== undefined) record.label = turn.label
  const prefix = hashPrefixes(request).at(-1) ?? ''
  const fault = pickFault(state.faults, request, turn, prefix)
  if (fault) record.fault = fault.kind
  if (fault?.kind === 'status') throw new ApiError(fault.status, fault.message ?? 'Injected fault', fault)
  if (fault?.kind === 'page') return sendPage(exchange, fault)
  if (fault?.kind === 'reset') {
    record.end = 'cut'
    exchange.incoming.socket.resetAndDestroy()
    return
  }
  const whole = buildFaultyAnswer(request, turn, prefix, fault)
  const { isPlain } = profile
  const answer = isPlain ? { ...whole, content: whole.content.filter(({ type }) => type !== 'thinking') } : whole
  const input = isPlain
    ? { input_tokens: Math.min(estimatePromptTokens(request), rules.contextTokens) }
    : meterUsage(state.cache, request, state.minCacheTokens, Date.now())
  rememberAnswer(state.conversations, prefix, answer.content)
  record.content = answer.content.map(toWholeBlock)
  record.stopReason = answer.stopReason
  record.usage = toUsage(input, estimateAnswerTokens(answer.content))
  record.status = 200
  const wait = (ping: () => void) => holdBack(state, request, turn, fault, signal, ping)
  const id = `msg_${randomBytes(12).toString('hex')}`
  if (request.stream) {
    const paceMs = turn.paceMs ?? 0
    record.end = await streamFaultyAnswer(response, {
      id,
      model: request.model,
      input,
      answer,
      fault,
      paceMs,
      wait,
      signal,
    })
  } else {
    await wait(() => undefined)
    record.end = await sendWhole(exchange, toMessage(id, request.model, input, answer), fault)
  }
}

/** Sends a response as if from a proxy, without the API's headers and body format. */
function sendPage({ record, response }: Exchange, fault: Extract<Fault, { kind: 'page' }>): void {
  record.status = fault.status ?? 200
  record.end = 'error'
  response.removeHeader('request-id')
  response.writeHead(record.status, { 'content-type': 'text/html; charset=utf-8', ...fault.headers })
  response.end(fault.body ?? '<!doctype html><title>Service</title><p>We will be back soon.</p>')
}

async function sendWhole(exchange: Exchange, message: object, fault: Fault | null): Promise<StreamEnd> {
  const { incoming, response, signal } = exchange
  if (fault?.kind === 'stall') await pause(fault.ms, signal)
  if (signal.aborted) return 'aborted'
  if (fault?.kind === 'cut' || fault?.kind === 'sse_error') {
    incoming.socket.resetAndDestroy()
    return 'cut'
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message))
  return 'complete'
}

/** Waits as required by the turn, the fault and the gates, with periodic pings. */
async function holdBack(
  state: ApiState,
  request: MessagesRequest,
  turn: ModelTurn,
  fault: Fault | null,
  signal: AbortSignal,
  ping: () => void,
): Promise<void> {
  const pings = setInterval(ping, state.pingMs)
  try {
    await pause((turn.delayMs ?? 0) + (fault?.kind === 'delay' ? fault.ms : 0), signal)
    const own = [turn.hold, fault?.kind === 'hold' ? fault.hold : undefined].filter((key) => key !== undefined)
    const outside = state.holds.filter((hold) => hold.match?.(request) ?? true).map((hold) => hold.key)
    for (const key of [...own, ...outside]) await waitAtBarrier(state.barriers, key, signal)
  } finally {
    clearInterval(pings)
  }
}
