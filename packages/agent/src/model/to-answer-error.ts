import { ModelError, type ModelErrorCode } from './model-error.ts'

/** An error that the API reports, as a response or as an event inside a stream. */
interface ErrorAnswer {
  /** Absent for an error after status 200. */
  readonly status?: number | undefined
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: unknown
  readonly headers?: Headers | undefined
}

export interface ErrorWords {
  /** Name of the URL setting. */
  readonly addressSetting: string
  /** Removes credentials from text received over the network. */
  readonly redact: (text: string) => string
}

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

/** Error types and codes of refusals for billing reasons, which services send with any status. */
const BILLING_TYPES =
  /^(billing_error|budget_exceeded|insufficient_balance_error|exceeded_current_quota_error|insufficient_quota|arrearage)$|spend_limit_reached$/i
/** Messages of the same refusals. */
const BILLING = new RegExp(
  [
    'credit balance|spend(ing)? limit|usage limits|extra usage is required',
    'budget has been exceeded|exceeded budget|exceeded current quota',
    'insufficient (account )?(balance|credits?|funds|quota)|used all available credits',
  ].join('|'),
  'i',
)
const MAX_READ = 4000
const MAX_SHOWN = 300

/** Converts an error that the API reports to a ModelError that quotes the API's message. */
export function toAnswerError({ status: given, body, headers }: ErrorAnswer, words: ErrorWords): ModelError {
  const { types, text } = readBody(body)
  const shown = words.redact(text).slice(0, MAX_SHOWN).toWellFormed()
  const fail = (code: ModelErrorCode, message: string, retryable = false) =>
    new ModelError(code, shown === '' ? message : `${message} Response: ${shown}`, {
      retryable,
      retryAfterMs: readRetryAfter(headers),
      requestId: headers?.get('request-id') ?? null,
    })
  const mayRetry = headers?.get('x-should-retry') !== 'false'
  const status = given ?? types.map(toStatus).find((one) => one !== undefined)
  // Rate limits mention billing pages as well.
  const isBilling =
    BILLING.test(text) || (status !== undefined && status < 500 && status !== 429 && /billing/i.test(text))
  if (status === 402 || isBilling || types.some((type) => BILLING_TYPES.test(type))) {
    return fail(
      'model_billing',
      "The model API rejected the request for billing reasons. Check the account's credit balance and spend limit.",
    )
  }
  const { addressSetting } = words
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
      return fail(
        'model_not_found',
        `The model API does not offer this model, or its URL is wrong. Check the model ID and ${addressSetting}.`,
      )
    case 413:
      return fail('model_context_exceeded', 'The request is too large for the model API.')
    case 429:
      return fail('model_rate_limited', "The model API's rate limit was exceeded.", mayRetry)
  }
  // llama.cpp may return this error with status 500.
  if (CONTEXT_SIZE.test(text)) return fail('model_context_exceeded', 'The conversation is too long for the model.')
  // Bedrock returns 424 for a fault of the model.
  if (status === undefined || [408, 409, 424].includes(status) || status >= 500) {
    const number = status === undefined ? '' : ` (${status})`
    return fail('model_unavailable', `The model API returned an error${number}.`, mayRetry)
  }
  return fail('model_bad_request', `The model API rejected the request (${status}).`)
}

/**
 * Returns the error types and codes in a body, and its message as one line. Some servers send the
 * message as a top-level `message`, `detail` or `error`, and some gateways quote the message of the
 * service behind them.
 */
export function readBody(body: unknown): { types: string[]; text: string } {
  const outer = toFields(body)
  const error = toFields(outer.error)
  const details = toFields(error.details)
  const types = [details.error_code, error.type, error.code, outer.code, outer.type]
  const texts = [
    [
      error.message,
      outer.message,
      outer.detail,
      toFields(toFields(outer.detail)[0]).msg,
      outer.error,
      toFields(outer.base_resp).status_msg,
      body,
    ].find(isText),
    toFields(error.metadata).raw,
  ]
  const text = texts.filter(isText).join(' ').slice(0, MAX_READ)
  return {
    types: types.flatMap((type) => (isText(type) || typeof type === 'number' ? [String(type)] : [])),
    // Pages are not messages.
    text: text.trimStart().startsWith('<') ? '' : text.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const toFields = (value: unknown) => Object(value) as Readonly<Record<string | number, unknown>>

function advise(text: string): string {
  const found = findSwitch(text)
  return found === null ? '' : ` To avoid this error, try setting ${found}.`
}

/** Statuses of error types. Bedrock uses its exception names as error types. */
const STATUSES: Readonly<Record<string, number>> = {
  validationException: 400,
  accessDeniedException: 403,
  resourceNotFoundException: 404,
  throttlingException: 429,
  serviceQuotaExceededException: 429,
  modelTimeoutException: 503,
  modelStreamErrorException: 503,
  internalServerException: 503,
  serviceUnavailableException: 503,
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
}

/** Returns the HTTP status of an error type, or of a gateway's code that is a status. */
function toStatus(type: string): number | undefined {
  if (Object.hasOwn(STATUSES, type)) return STATUSES[type]
  return /^[45]\d\d$/.test(type) ? Number(type) : undefined
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

/**
 * Request features that an endpoint other than the latest Messages API may reject, with the setting
 * that disables each one.
 */
const SWITCHES: readonly (readonly [RegExp, string])[] = [
  [/cache_control|prompt caching/i, 'MODEL_CACHING=off'],
  [/\bstrict\b/i, 'MODEL_STRICT=off'],
  [/\bthinking\b/i, 'MODEL_THINKING=omit'],
  [/\beffort\b|output_config/i, 'MODEL_EFFORT= (empty)'],
  [/tool_choice|disable_parallel_tool_use/i, 'MODEL_PARALLEL_CALLS=8'],
  [/max_(completion_)?tokens/i, "MODEL_MAX_OUTPUT_TOKENS to the model's output limit"],
  [/anthropic[-_]version/i, 'ANTHROPIC_VERSION to a version that it supports'],
  [/^(?=.*x-api-key)(?=.*(?:required|missing))/is, 'MODEL_AUTH=x-api-key'],
  [/^(?=.*(?:authorization|bearer))(?=.*(?:required|missing))/is, 'MODEL_AUTH=bearer'],
]

/** Returns the setting that avoids the endpoint's error, or null if no setting does. */
function findSwitch(message: string): string | null {
  return SWITCHES.find(([pattern]) => pattern.test(message))?.[1] ?? null
}
