import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  build,
  event,
  fail,
  failure,
  good,
  KEY,
  open,
  REQUEST,
  say,
  serve,
} from '../test-support/serve-answers.ts'

describe('a reply', () => {
  it('contains plain JSON with the usage and the request ID', async () => {
    const { url, requests } = await serve(good)
    const reply = await build(url).call()
    expect(reply).toEqual({
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'view', input: { path: 'a.md' } }],
      stopReason: 'tool_use',
      refusalCategory: null,
      requestId: 'req_2',
      usage: { inputTokens: 11, outputTokens: 44, cacheReadTokens: 22, cacheWriteTokens: 33 },
    })
    expect(structuredClone(reply)).toEqual(reply)
    expect(JSON.parse(requests[0]!.body)).toEqual({ ...REQUEST, stream: true })
  })

  it('contains the refusal category', async () => {
    const { url } = await serve((response, request) => {
      open(response, request)
      say(response, '{}', 'refusal')
    })
    expect(await build(url).call()).toMatchObject({ stopReason: 'refusal', refusalCategory: 'cyber' })
  })
})

describe('credentials', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('come from the options, never from the environment', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-environment')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'environment')
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'Authorization: Bearer environment\nx-leak: environment')
    vi.stubEnv('ANTHROPIC_PROFILE', 'environment')
    const { url, requests } = await serve(good)
    await build(url, { headers: { 'X-Gateway': 'mine', 'anthropic-version': '2023-06-01' } }).call()
    const { headers } = requests[0]!
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-gateway': 'mine',
      'anthropic-version': '2023-06-01',
    })
    expect(JSON.stringify(headers)).not.toContain('environment')
    expect(headers).not.toHaveProperty('traceparent')
  })

  it('never appear in an error', async () => {
    const { url } = await serve(
      fail(400, { type: 'invalid_request_error', message: `bad key ${KEY} and gateway-secret` }),
    )
    const error = await failure(build(url, { headers: { 'x-api-key': 'gateway-secret' } }).call())
    expect(error.message).toBe('The model API rejected the request. Response: bad key [redacted] and [redacted]')
  })
})

describe('errors that are not retryable', () => {
  it.each<[name: string, answer: Answer, code: string]>([
    ['400', fail(400, { type: 'invalid_request_error', message: 'messages: bad' }), 'model_bad_request'],
    ['401', fail(401), 'model_unauthorized'],
    ['x-should-retry: false', fail(500, undefined, { 'x-should-retry': 'false' }), 'model_unavailable'],
  ])('does not retry after %s', async (_, answer, code) => {
    const { url, requests } = await serve(answer, good)
    expect(await failure(build(url).call())).toMatchObject({ code, retryable: false, requestId: 'req_1' })
    expect(requests).toHaveLength(1)
  })
})

it('a response without an end is not collected', async () => {
  const { url, requests } = await serve((response, request) => {
    open(response, request)
    const more = () => {
      while (!response.closed && response.write('x'.repeat(1 << 20)));
    }
    response.on('drain', more)
    more()
  })
  const error = await failure(build(url, { maxRetries: 0, turnTimeoutMs: 120_000 }).call())
  expect(error).toMatchObject({ code: 'model_bad_reply', message: expect.stringContaining('larger than') })
  expect(requests).toHaveLength(1)
})

describe('a silent connection', () => {
  it('is closed and retried when it stalls after the first bytes', async () => {
    const { url, requests } = await serve(open, good)
    expect(await build(url, { idleTimeoutMs: 150 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.length).toBeGreaterThan(1)
  })

  it('is closed and retried when it stalls before the first bytes', async () => {
    const { url, requests } = await serve(() => undefined, good)
    expect(await build(url, { idleTimeoutMs: 150 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.length).toBeGreaterThan(1)
  })

  it('fails with model_stalled after the last retry', async () => {
    const { url } = await serve(open)
    const error = await failure(build(url, { idleTimeoutMs: 40, maxRetries: 1 }).call())
    expect(error).toMatchObject({ code: 'model_stalled', retryable: true })
  })

  it('does not time out while pings arrive', async () => {
    const { url, requests } = await serve((response, request) => {
      open(response, request)
      let pings = 0
      const timer = setInterval(() => {
        pings += 1
        if (pings <= 40) return void event(response, 'ping')
        clearInterval(timer)
        say(response, '{"path":"a.md"}')
      }, 100)
    })
    expect(await build(url, { idleTimeoutMs: 3_000 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests).toHaveLength(1)
  })

  it('fails after the turn timeout, even while data arrives', async () => {
    const { url } = await serve((response, request) => {
      open(response, request)
      const timer = setInterval(() => event(response, 'ping'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const error = await failure(build(url, { turnTimeoutMs: 80, maxRetries: 1 }).call())
    expect(error).toMatchObject({ code: 'model_stalled' })
  })
})

describe('deadline and abort', () => {
  it("the caller's deadline covers retries and waits", async () => {
    const { url } = await serve(fail(500))
    const error = await failure(build(url, { firstWaitMs: 60_000 }).call(undefined, 80))
    expect(error).toMatchObject({ code: 'model_deadline', retryable: false })
  })

  it.each<[where: string, answer: Answer]>([
    ['while streaming', open],
    ['while waiting for headers', () => undefined],
    ['between attempts', fail(500)],
  ])('throws the abort reason %s', async (_, answer) => {
    const controller = new AbortController()
    const reason = new Error('lease lost')
    const { url } = await serve((response, request) => {
      answer(response, request)
      setTimeout(() => controller.abort(reason), 20)
    })
    await expect(build(url, { firstWaitMs: 60_000 }).call(controller.signal)).rejects.toBe(reason)
  })

  it('accepts a timeout with a fraction of a millisecond', async () => {
    const { url } = await serve(good)
    // Floating-point arithmetic leaves a fraction here, but timers accept only whole milliseconds.
    expect(await build(url).call(undefined, (1200 - 64.043 + 60) * 1000)).toMatchObject({
      stopReason: expect.any(String),
    })
  })

  it('sends no request after an abort', async () => {
    const { url, requests } = await serve(good)
    await expect(build(url).call(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(requests).toHaveLength(0)
  })
})
