import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildCallModel, type CallModelOptions } from './call-model.ts'
import type { ModelRequest } from './model-call.ts'
import { ModelError } from './model-error.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const KEY = 'sk-ant-test-0123456789abcdef'
const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server that gives these answers one after the other, the last one for ever, and keeps what was asked. */
async function serve(...answers: Answer[]) {
  const requests: { headers: IncomingMessage['headers']; body: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    const entry = { headers: request.headers, body: '', at: Date.now() }
    requests.push(entry)
    for await (const chunk of request) entry.body += String(chunk)
    answer?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push({ close: () => server.close(() => undefined) && server.closeAllConnections() })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const fail =
  (
    status: number,
    error: object = { type: 'api_error', message: 'No.' },
    headers: Record<string, string> = {},
  ): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers })
    response.end(JSON.stringify({ type: 'error', error }))
  }

const event = (response: ServerResponse, type: string, data: object = {}) =>
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)

const open: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_2' })
  const usage = { input_tokens: 11, cache_read_input_tokens: 22, cache_creation_input_tokens: 33, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  event(response, 'message_start', { message })
}

const say = (response: ServerResponse, json: string, stop = 'tool_use') => {
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

const good: Answer = (response, request) => {
  open(response, request)
  say(response, '{"path":"a.md"}')
}

const REQUEST: ModelRequest = { model: 'm', max_tokens: 16_000, messages: [{ role: 'user', content: 'hi' }] }

function build(url: string, options: Partial<CallModelOptions> = {}) {
  const waits: number[] = []
  const callModel = buildCallModel({
    ...{ apiKey: KEY, baseUrl: url, firstWaitMs: 1 },
    onRetry: (_, waitMs) => waits.push(waitMs),
    ...options,
  })
  return {
    waits,
    call: (signal = new AbortController().signal, timeoutMs?: number) =>
      callModel(REQUEST, { signal, ...(timeoutMs ? { timeoutMs } : {}) }),
  }
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ModelError)) throw new Error('a ModelError was due', { cause: error })
  return error
}

describe('a reply', () => {
  it('is plain JSON with usage and request id', async () => {
    const { url, requests } = await serve(good)
    const reply = await build(url).call()
    expect(reply).toEqual({
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'view', input: { path: 'a.md' } }],
      ...{ stopReason: 'tool_use', refusalCategory: null, requestId: 'req_2' },
      usage: { inputTokens: 11, outputTokens: 44, cacheReadTokens: 22, cacheWriteTokens: 33 },
    })
    expect(structuredClone(reply)).toEqual(reply)
    expect(JSON.parse(requests[0]!.body)).toEqual({ ...REQUEST, stream: true })
  })

  it('tells the category of a refusal', async () => {
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
    expect(error.message).toBe('The model API refused the request. It said: bad key [redacted] and [redacted]')
  })
})

describe('errors that are not repeated', () => {
  it.each<[name: string, answer: Answer, code: string]>([
    ['400', fail(400, { type: 'invalid_request_error', message: 'messages: bad' }), 'model_bad_request'],
    ['401', fail(401), 'model_unauthorized'],
    ['a server that says so', fail(500, undefined, { 'x-should-retry': 'false' }), 'model_unavailable'],
  ])('%s', async (_, answer, code) => {
    const { url, requests } = await serve(answer, good)
    expect(await failure(build(url).call())).toMatchObject({ code, retryable: false, requestId: 'req_1' })
    expect(requests).toHaveLength(1)
  })
})

describe('errors that are repeated', () => {
  const cut: Answer = (response, request) => {
    open(response, request)
    response.write('event: content_block_start\ndata: {"type":"con', () => response.destroy())
  }
  const ended: Answer = (response, request) => {
    open(response, request)
    response.end()
  }
  const broken: Answer = (response, request) => {
    open(response, request)
    say(response, '{"path":,,')
  }
  const inStream =
    (type: string): Answer =>
    (response, request) => {
      open(response, request)
      event(response, 'error', { error: { type, message: 'Overloaded' } })
      response.end()
    }
  const reset: Answer = (_, request) => request.socket.destroy()

  it.each<[name: string, answer: Answer]>([
    ['500', fail(500)],
    ['502 without JSON', (response) => response.writeHead(502).end('<html>bad gateway</html>')],
    ['529', fail(529, { type: 'overloaded_error', message: 'x' })],
    ['429', fail(429, { type: 'rate_limit_error', message: 'x' })],
    ['408', fail(408)],
    ['connection reset', reset],
    ['connection cut', cut],
    ['no message_stop', ended],
    ['tool input that is no JSON', broken],
    ['overloaded in the stream', inStream('overloaded_error')],
    ['error in the stream', inStream('api_error')],
  ])('%s', async (_, answer) => {
    const { url, requests } = await serve(answer, answer, good)
    const { call, waits } = build(url)
    expect(await call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.map(({ body }) => body)).toEqual(Array(3).fill(requests[0]!.body))
    expect(waits).toHaveLength(2)
  })

  it('six tries in all, waits that grow, then the error', async () => {
    const { url, requests } = await serve(fail(529))
    const { call, waits } = build(url, { firstWaitMs: 4 })
    expect(await failure(call())).toMatchObject({ code: 'model_unavailable', retryable: true })
    expect(requests).toHaveLength(6)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(2 * 2 ** index)
      expect(wait).toBeLessThanOrEqual(4 * 2 ** index)
    }
  })

  it('waits that are asked for make a minute in all, then the caller plans the next', async () => {
    const { url, requests } = await serve(
      fail(429, undefined, { 'retry-after-ms': '40' }),
      fail(429, undefined, { 'retry-after-ms': '59961' }),
    )
    expect(await failure(build(url).call())).toMatchObject({ retryable: true, retryAfterMs: 59_961 })
    expect(requests).toHaveLength(2)
  })

  it('a page of something in between is no reply, and is tried again', async () => {
    const page: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Soon.</p>')
    const { url, requests } = await serve(page, good)
    expect(await build(url).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests).toHaveLength(2)
    const away = await serve(page)
    const error = await failure(build(away.url, { maxRetries: 0 }).call())
    expect(error).toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/text\/html.*ANTHROPIC_BASE_URL/),
    })
  })

  it('a redirect is not followed', async () => {
    const elsewhere = await serve(good)
    const location = `${elsewhere.url}/v1/messages`
    const { url, requests } = await serve((response) => response.writeHead(307, { location }).end())
    const error = await failure(build(url).call())
    expect(error).toMatchObject({ code: 'model_bad_reply', retryable: false, message: expect.stringContaining('307') })
    expect(requests).toHaveLength(1)
    expect(elsewhere.requests).toEqual([])
  })

  it('a wait that is asked for is kept', async () => {
    const { url } = await serve(fail(429, undefined, { 'retry-after-ms': '120' }), good)
    const { call, waits } = build(url)
    await call()
    expect(waits).toEqual([120])
  })

  it('a long one is not slept out', async () => {
    const { url, requests } = await serve(fail(429, undefined, { 'retry-after': '61' }), good)
    expect(await failure(build(url).call())).toMatchObject({ retryable: true, retryAfterMs: 61_000 })
    expect(requests).toHaveLength(1)
  })
})

describe('silence', () => {
  it('after the first bytes is ended and repeated', async () => {
    const { url, requests } = await serve(open, good)
    expect(await build(url, { idleTimeoutMs: 150 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.length).toBeGreaterThan(1)
  })

  it('before them too', async () => {
    const { url, requests } = await serve(() => undefined, good)
    expect(await build(url, { idleTimeoutMs: 150 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.length).toBeGreaterThan(1)
  })

  it('for ever is an error with a name', async () => {
    const { url } = await serve(open)
    const error = await failure(build(url, { idleTimeoutMs: 40, maxRetries: 1 }).call())
    expect(error).toMatchObject({ code: 'model_stalled', retryable: true })
  })

  it('is not what pings are', async () => {
    const { url, requests } = await serve((response, request) => {
      open(response, request)
      let pings = 0
      const timer = setInterval(() => {
        pings += 1
        if (pings <= 30) return void event(response, 'ping')
        clearInterval(timer)
        say(response, '{"path":"a.md"}')
      }, 50)
    })
    expect(await build(url, { idleTimeoutMs: 1000 }).call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests).toHaveLength(1)
  })

  it('a turn has a longest time whatever is sent', async () => {
    const { url } = await serve((response, request) => {
      open(response, request)
      const timer = setInterval(() => event(response, 'ping'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const error = await failure(build(url, { turnTimeoutMs: 80, maxRetries: 1 }).call())
    expect(error).toMatchObject({ code: 'model_stalled' })
  })
})

describe('ending from outside', () => {
  it('the deadline of the caller covers retries and waits', async () => {
    const { url } = await serve(fail(500))
    const error = await failure(build(url, { firstWaitMs: 60_000 }).call(undefined, 80))
    expect(error).toMatchObject({ code: 'model_deadline', retryable: false })
  })

  it.each<[where: string, answer: Answer]>([
    ['while streaming', open],
    ['while waiting for headers', () => undefined],
    ['between tries', fail(500)],
  ])('abort %s throws its reason', async (_, answer) => {
    const controller = new AbortController()
    const reason = new Error('lease lost')
    const { url } = await serve((response, request) => {
      answer(response, request)
      setTimeout(() => controller.abort(reason), 20)
    })
    await expect(build(url, { firstWaitMs: 60_000 }).call(controller.signal)).rejects.toBe(reason)
  })

  it('the rest of a time budget may be any fraction of a millisecond', async () => {
    const { url } = await serve(good)
    // What is left of 1,260 s after 64.043 s comes out as this number; timers take whole ones only.
    expect(await build(url).call(undefined, (1200 - 64.043 + 60) * 1000)).toMatchObject({
      stopReason: expect.any(String),
    })
  })

  it('nothing is sent once aborted', async () => {
    const { url, requests } = await serve(good)
    await expect(build(url).call(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(requests).toHaveLength(0)
  })
})
