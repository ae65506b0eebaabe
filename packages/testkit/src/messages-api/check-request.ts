import type { IncomingHttpHeaders } from 'node:http'
import { estimateTokens, isObject, type MessagesRequest, refuse, toBareJson } from '@corrigenda/demo/messages-api'
import { checkCacheMarks } from './check-cache-marks.ts'
import { checkFields } from './check-fields.ts'
import { checkHeaders } from './check-headers.ts'
import { checkMessages } from './check-messages.ts'
import { checkThinkingBlocks } from './check-thinking.ts'
import { checkTools } from './check-tools.ts'

export interface RequestRules {
  /** True for `count_tokens`, which accepts fewer fields. */
  counting: boolean
  isKnownModel: (model: string) => boolean
  /** Maximum number of estimated prompt tokens. Larger requests are rejected. */
  contextTokens: number
}

/**
 * Rejects a request with invalid headers, fields, tools, messages or cache breakpoints.
 * @throws ApiError with the status, type and message of the Messages API as of version 2026-10-21
 */
export function checkShape(body: unknown, headers: IncomingHttpHeaders, rules: RequestRules): MessagesRequest {
  checkHeaders(headers)
  if (!isObject(body)) refuse('The request body must be a JSON object')
  checkFields(body, rules)
  checkTools(body.tools)
  checkMessages(body.messages, Array.isArray(body.tools) && body.tools.length > 0)
  checkCacheMarks(body)
  return body as unknown as MessagesRequest
}

/**
 * Rejects a well-formed request whose conversation cannot continue because its thinking is altered
 * or missing, or because the prompt is too long.
 * @throws ApiError, see {@link checkShape}
 */
export function checkConversation(request: MessagesRequest, rules: RequestRules): void {
  checkThinkingBlocks(request)
  const tokens = estimatePromptTokens(request)
  if (tokens > rules.contextTokens) refuse(`prompt is too long: ${tokens} tokens > ${rules.contextTokens} maximum`)
}

/**
 * Checks the context window the way local servers do. If the prompt does not fit, rejects it with
 * vLLM's message, or accepts it as if it had been truncated silently.
 * @throws ApiError, see {@link checkShape}
 */
export function checkWindow(request: MessagesRequest, rules: RequestRules, overflow: 'refuse' | 'truncate'): void {
  const tokens = estimatePromptTokens(request)
  if (overflow === 'truncate' || tokens + request.max_tokens <= rules.contextTokens) return
  refuse(
    `This model's maximum context length is ${rules.contextTokens} tokens. However, you requested ${request.max_tokens} output tokens and your prompt contains ${tokens} input tokens. Please reduce the length of the input messages.`,
  )
}

/** Estimates the number of tokens in the system prompt, tools and messages. */
export function estimatePromptTokens(request: MessagesRequest): number {
  return estimateTokens(toBareJson([request.system ?? '', request.tools ?? [], request.messages]))
}
