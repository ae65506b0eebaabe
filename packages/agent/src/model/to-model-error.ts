import Anthropic from '@anthropic-ai/sdk'
import { findSwitch } from './find-switch.ts'
import { ModelError, type ModelErrorCode } from './model-error.ts'

/**
 * Matches the error messages for a prompt that does not fit, from the Messages API, Bedrock,
 * llama.cpp, vLLM, Ollama, LM Studio and gateways in front of other servers.
 */
const CONTEXT = new RegExp(
  [
    'prompt is too long|prompt too long|input is too long|too many tokens|request too large',
    'context[ _](length|window|limit)|maximum context|max_model_len|maximum model length',
    'exceeds? (the )?(maximum |available )?context|context size (has been )?exceeded|exceed_context_size',
    'input token count|maximum prompt length|exceeded (model|max) token|reduce the length of the (messages|prompt)',
  ].join('|'),
  'i',
)
const CONTEXT_SIZE = /context size (has been )?exceeded|available context size|exceed_context_size/i
const PREFIX = /signature|thinking.{0,40}(block|passed back|prefix|modified)/i
const BILLING = /credit balance|spend limit|billing/i

/**
 * Converts an SDK error to a ModelError. `redact` removes credentials from text received over the
 * network.
 */
export function toModelError(error: unknown, redact: (text: string) => string): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof Anthropic.APIConnectionError) {
    const credentials = /acquire Google OAuth|resolve AWS/.exec(error.message)?.[0]
    if (credentials !== undefined) {
      const which = credentials.endsWith('AWS') ? 'AWS' : 'Google'
      // Credentials may come from a network service that is temporarily unavailable.
      return new ModelError('model_unauthorized', `This machine's ${which} credentials could not be loaded.`, {
        retryable: true,
      })
    }
    return new ModelError('model_unavailable', 'The model API is unreachable or closed the connection.', {
      retryable: true,
    })
  }
  if (error instanceof Anthropic.APIError) return fromApiError(error, redact)
  if (error instanceof Anthropic.AnthropicError && /json/i.test(error.message)) {
    return new ModelError('model_bad_reply', 'The model API sent a tool call that is not valid JSON.', {
      retryable: true,
    })
  }
  return new ModelError('model_unavailable', 'The connection to the model API ended before the reply was complete.', {
    retryable: true,
  })
}

function fromApiError(error: InstanceType<typeof Anthropic.APIError>, redact: (text: string) => string): ModelError {
  const text = readText(error)
  const shown = redact(text).slice(0, 300)
  const requestId = error.requestID ?? null
  const retryAfterMs = readRetryAfter(error.headers)
  const fail = (code: ModelErrorCode, message: string, retryable = false) =>
    new ModelError(code, shown === '' ? message : `${message} Response: ${shown}`, {
      retryable,
      retryAfterMs,
      requestId,
    })

  const status = error.status ?? toStatus(error.type)
  if (error.errorCode === 'enforced_spend_limit_reached' || status === 402 || (status === 400 && BILLING.test(text))) {
    return fail(
      'model_billing',
      "The model API rejected the request for billing reasons. Check the account's credit balance and spend limit.",
    )
  }
  switch (status) {
    case 400:
    case 422:
      if (CONTEXT.test(text)) return fail('model_context_exceeded', 'The conversation is too long for the model.')
      if (PREFIX.test(text)) return fail('model_prefix_invalid', 'The model API rejected the conversation so far.')
      return fail('model_bad_request', `The model API rejected the request.${advise(text)}`)
    case 401:
      return fail('model_unauthorized', `The model API rejected the key. Check ANTHROPIC_API_KEY.${advise(text)}`)
    case 403:
      return fail('model_unauthorized', 'The key does not have access to this model or this API.')
    case 404:
      return fail('model_not_found', 'The model API does not offer this model. Check the model ID.')
    case 413:
      return fail('model_context_exceeded', 'The request is too large for the model API.')
  }
  if (status === 429) return fail('model_rate_limited', "The model API's rate limit was exceeded.", mayRetry(error))
  // llama.cpp may return this error with status 500.
  if (CONTEXT_SIZE.test(text)) return fail('model_context_exceeded', 'The conversation is too long for the model.')
  if (status === undefined || status === 408 || status === 409 || status >= 500) {
    return fail(
      'model_unavailable',
      `The model API returned an error${status === undefined ? '' : ` (${status})`}.`,
      mayRetry(error),
    )
  }
  return fail('model_bad_request', `The model API rejected the request (${status}).`)
}

function mayRetry(error: InstanceType<typeof Anthropic.APIError>): boolean {
  return error.headers?.get('x-should-retry') !== 'false'
}

/**
 * Returns the error message. Some servers send it as a top-level `message`, `detail` or `error`.
 */
function readText(error: InstanceType<typeof Anthropic.APIError>): string {
  const body = Object(error.error) as Readonly<Record<string, unknown>>
  const detail = [error.apiMessage, body.message, body.detail, body.error].find((one) => typeof one === 'string')
  return typeof detail === 'string' ? detail : ''
}

function advise(text: string): string {
  const found = findSwitch(text)
  return found === null ? '' : ` To avoid this error, try setting ${found}.`
}

/**
 * Maps an error type to an HTTP status. Errors inside a stream have a type but no status. Bedrock
 * uses its exception names as error types.
 */
function toStatus(type: string | null): number | undefined {
  switch (type) {
    case 'validationException':
      return 400
    case 'accessDeniedException':
      return 403
    case 'resourceNotFoundException':
      return 404
    case 'throttlingException':
    case 'serviceQuotaExceededException':
      return 429
    case 'modelTimeoutException':
    case 'modelStreamErrorException':
    case 'internalServerException':
    case 'serviceUnavailableException':
      return 503
    case 'invalid_request_error':
      return 400
    case 'authentication_error':
      return 401
    case 'billing_error':
      return 402
    case 'permission_error':
      return 403
    case 'not_found_error':
      return 404
    case 'request_too_large':
      return 413
    case 'rate_limit_error':
      return 429
    case 'overloaded_error':
      return 529
    default:
      return undefined
  }
}

function readRetryAfter(headers: Headers | undefined): number | null {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return milliseconds
  const value = headers?.get('retry-after')
  if (value === null || value === undefined) return null
  const seconds = Number(value)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
