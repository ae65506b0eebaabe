import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { ModelError } from './model-error.ts'
import { toModelError } from './to-model-error.ts'

const plain = { addressSetting: 'ANTHROPIC_BASE_URL', redact: (text: string) => text }
const answer = (status: number | undefined, error: object, headers: Record<string, string> = {}) =>
  toModelError(Anthropic.APIError.generate(status, { type: 'error', error }, undefined, new Headers(headers)), plain)
const invalid = (message: string) => ({ type: 'invalid_request_error', message })

describe('API responses', () => {
  it.each<[status: number, error: object, code: string, retryable: boolean]>([
    [400, invalid('messages: bad'), 'model_bad_request', false],
    [400, invalid('prompt is too long: 1000001 tokens > 1000000 maximum'), 'model_context_exceeded', false],
    [
      400,
      invalid('the request exceeds the available context size, context limit 8192'),
      'model_context_exceeded',
      false,
    ],
    [400, invalid('messages.1.content.0: Invalid `signature` in `thinking` block'), 'model_prefix_invalid', false],
    [400, invalid('Your credit balance is too low'), 'model_billing', false],
    [401, { type: 'authentication_error', message: 'x' }, 'model_unauthorized', false],
    [402, { type: 'billing_error', message: 'x' }, 'model_billing', false],
    [403, { type: 'permission_error', message: 'x' }, 'model_unauthorized', false],
    [404, { type: 'not_found_error', message: 'x' }, 'model_not_found', false],
    [408, { type: 'timeout_error', message: 'x' }, 'model_unavailable', true],
    [413, { type: 'request_too_large', message: 'x' }, 'model_context_exceeded', false],
    [418, { type: 'api_error', message: 'x' }, 'model_bad_request', false],
    [422, invalid('x'), 'model_bad_request', false],
    [429, { type: 'rate_limit_error', message: 'x' }, 'model_rate_limited', true],
    [429, { message: 'x', details: { error_code: 'enforced_spend_limit_reached' } }, 'model_billing', false],
    [500, { type: 'api_error', message: 'x' }, 'model_unavailable', true],
    [529, { type: 'overloaded_error', message: 'x' }, 'model_unavailable', true],
  ])('maps %i %j to %s', (status, error, code, retryable) => {
    expect(answer(status, error)).toMatchObject({ code, retryable, retryAfterMs: null })
  })

  it.each<[type: string, code: string, retryable: boolean]>([
    ['overloaded_error', 'model_unavailable', true],
    ['api_error', 'model_unavailable', true],
    ['rate_limit_error', 'model_rate_limited', true],
    ['invalid_request_error', 'model_bad_request', false],
    ['authentication_error', 'model_unauthorized', false],
    ['billing_error', 'model_billing', false],
    ['not_found_error', 'model_not_found', false],
  ])('maps %s inside a stream', (type, code, retryable) => {
    const error = new Anthropic.APIError(
      undefined,
      { type: 'error', error: { type, message: 'x' } },
      undefined,
      undefined,
      Object(type).valueOf(),
    )
    expect(toModelError(error, plain)).toMatchObject({ code, retryable })
  })

  it.each<[headers: Record<string, string>, ms: number | null]>([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 0],
  ])('reads the requested wait from %j', (headers, ms) => {
    expect(answer(429, { message: 'x' }, headers).retryAfterMs).toBe(ms)
  })

  it('quotes a truncated message without credentials', () => {
    const error = Anthropic.APIError.generate(
      400,
      { error: { message: `key-1234 ${'x'.repeat(900)}` } },
      undefined,
      new Headers(),
    )
    const { message } = toModelError(error, { ...plain, redact: (text) => text.replaceAll('key-1234', '[redacted]') })
    expect(message).toMatch(/Response: \[redacted\] x+$/)
    expect(message.length).toBeLessThan(400)
  })
})

describe('other servers', () => {
  it.each<[server: string, status: number, body: object]>([
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it',
        },
      },
    ],
    ['llama.cpp', 500, { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      },
    ],
    [
      'vLLM',
      400,
      { error: { message: 'The decoder prompt (length 17772) is longer than the maximum model length of 16384.' } },
    ],
    [
      'Ollama',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt too long; exceeded max context length by 12 tokens' },
      },
    ],
    ['Ollama', 400, { error: 'the input length exceeds the context length' }],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
    ['Vertex', 400, { error: { code: 400, message: 'Prompt is too long', status: 'INVALID_ARGUMENT' } }],
    ['a gateway', 400, { detail: 'input length and `max_tokens` exceed context limit: 1 + 2 > 2' }],
  ])('%s %i %j: detects a prompt that is too long', (_, status, body) => {
    const error = toModelError(Anthropic.APIError.generate(status, body, undefined, new Headers()), plain)
    expect(error).toMatchObject({ code: 'model_context_exceeded', retryable: false })
  })

  it('does not treat a token rate limit as a context overflow', () => {
    expect(answer(429, { message: 'too many tokens per minute' })).toMatchObject({ code: 'model_rate_limited' })
    expect(answer(500, { message: 'the context of this failure is unknown' })).toMatchObject({
      code: 'model_unavailable',
    })
  })

  it.each<[type: string, code: string, retryable: boolean]>([
    ['throttlingException', 'model_rate_limited', true],
    ['modelStreamErrorException', 'model_unavailable', true],
    ['validationException', 'model_bad_request', false],
    ['accessDeniedException', 'model_unauthorized', false],
  ])('maps the Bedrock stream exception %s', (type, code, retryable) => {
    const body = { type: 'error', error: { type, message: 'x' } }
    const error = new Anthropic.APIError(undefined, body, undefined, undefined, Object(type).valueOf())
    expect(toModelError(error, plain)).toMatchObject({ code, retryable })
  })

  it('reports missing platform credentials', () => {
    const message = 'Failed to resolve AWS credentials from the credential provider chain.'
    const error = toModelError(new Anthropic.APIConnectionError({ message }), plain)
    expect(error).toMatchObject({ code: 'model_unauthorized', message: expect.stringContaining('AWS credentials') })
  })
})

describe('refusals for billing reasons', () => {
  it.each<[status: number, body: object]>([
    [400, { error: { type: 'invalid_request_error', message: 'You have reached your specified API usage limits.' } }],
    [403, { error: { type: 'forbidden', message: 'Enable billing for this project.' } }],
    [429, { error: { message: 'x', details: { error_code: 'contract_spend_limit_reached' } } }],
    [429, { error: { message: 'Extra usage is required for long context requests.' } }],
    [429, { error: { message: 'x', type: 'budget_exceeded', code: '429' } }],
    [403, { error: { message: 'x', type: 'exceeded_current_quota_error' } }],
    [500, { type: 'error', error: { type: 'api_error', message: 'insufficient balance (1008)' } }],
    [429, { error: { message: 'x', type: 'insufficient_balance_error' } }],
    [429, { error: { message: 'x', code: 'insufficient_quota' } }],
    [400, { code: 'Arrearage', message: 'Access denied.' }],
  ])('are not retried, whatever their status: %i %j', (status, body) => {
    const error = toModelError(Anthropic.APIError.generate(status, body, undefined, new Headers()), plain)
    expect(error).toMatchObject({ code: 'model_billing', retryable: false })
  })

  it.each<[status: number, message: string]>([
    [429, 'Rate limit reached. See your plan and billing page for higher limits.'],
    [503, 'The billing service is starting.'],
  ])('do not include other errors that mention billing: %i %s', (status, message) => {
    expect(answer(status, { message })).toMatchObject({ retryable: true })
  })
})

describe('other errors', () => {
  it('retries a fault of the model on Bedrock', () => {
    const body = { message: 'The system encountered an unexpected error during processing. Try your request again.' }
    const error = toModelError(Anthropic.APIError.generate(424, body, undefined, new Headers()), plain)
    expect(error).toMatchObject({ code: 'model_unavailable', retryable: true })
  })

  it('names the URL setting in a 404', () => {
    const error = Anthropic.APIError.generate(404, { detail: 'Not Found' }, undefined, new Headers())
    expect(toModelError(error, plain).message).toMatch(/model ID and ANTHROPIC_BASE_URL.*Not Found/)
  })

  it('quotes text that is not JSON on one line, but not a page', () => {
    const of = (text: string) => toModelError(Anthropic.APIError.generate(503, undefined, text, new Headers()), plain)
    expect(of('no healthy\n upstream\u0000').message).toBe(
      'The model API returned an error (503). Response: no healthy upstream',
    )
    expect(of('<html>bad gateway</html>').message).toBe('The model API returned an error (503).')
  })

  it('marks connection errors as retryable and hides their text', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7:443')
    for (const error of [
      new Anthropic.APIConnectionError({ cause }),
      new Anthropic.APIConnectionTimeoutError(),
      cause,
      'what',
    ]) {
      const found = toModelError(error, plain)
      expect(found).toMatchObject({ code: 'model_unavailable', retryable: true })
      expect(found.message).not.toContain('10.0.0.7')
    }
  })
  it('returns a ModelError unchanged', () => {
    const error = new ModelError('model_stalled', 'Silence.')
    expect(toModelError(error, plain)).toBe(error)
  })
})
