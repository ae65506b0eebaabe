import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { buildModelScript } from './build-model-script.ts'
import type { FaultKind } from './fault.ts'
import type { ScriptTurn } from './script-turn.ts'
import { firstRequest, nextRequest, type OpenApi, openApi } from './test-support/open-client.ts'

type ApiError = InstanceType<typeof Anthropic.APIError>

let open: OpenApi
afterEach(() => open.api.close())

const turn: ScriptTurn = [{ text: 'Looking at the page.' }, { tool: 'view', input: { path: 'guides/install.mdx' } }]

async function start(fault?: FaultKind, turns: ScriptTurn[] = [turn]): Promise<void> {
  open = await openApi({ modelScript: buildModelScript(turns), pingMs: 5 })
  if (fault) open.api.fault(fault)
}

async function fail(stream = true): Promise<ApiError> {
  const call = stream
    ? open.client.messages.stream(firstRequest()).finalMessage()
    : open.client.messages.create(firstRequest())
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Anthropic.AnthropicError)
  return error as ApiError
}

function lastFinal(): Promise<Anthropic.Message> {
  return open.client.messages.stream(firstRequest()).finalMessage()
}

describe('errors instead of a response', () => {
  const limit = { error_code: 'enforced_spend_limit_reached' }
  test.each([
    [{ kind: 'status', status: 401 }, Anthropic.AuthenticationError, 'authentication_error'],
    [{ kind: 'status', status: 413 }, Anthropic.ContentTooLargeError, 'request_too_large'],
    [{ kind: 'status', status: 429, headers: { 'retry-after': '7' } }, Anthropic.RateLimitError, 'rate_limit_error'],
    [{ kind: 'status', status: 429, details: limit }, Anthropic.RateLimitError, 'rate_limit_error'],
    [{ kind: 'status', status: 500 }, Anthropic.InternalServerError, 'api_error'],
    [{ kind: 'status', status: 529, message: 'Overloaded' }, Anthropic.OverloadedError, 'overloaded_error'],
    [{ kind: 'status', status: 503, type: 'odd_error' }, Anthropic.ServiceUnavailableError, 'odd_error'],
  ] as const)('%o', async (fault, errorClass, type) => {
    await start(fault as FaultKind)
    const error = await fail()
    expect(error).toBeInstanceOf(errorClass)
    expect(error.type).toBe(type)
    expect(error.requestID).toMatch(/^req_/)
    if ('details' in fault) expect(error.errorCode).toBe('enforced_spend_limit_reached')
    if ('headers' in fault) expect(error.headers?.get('retry-after')).toBe('7')
    expect(open.api.rejected()).toEqual([])
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test('resets the connection before sending headers', async () => {
    await start({ kind: 'reset' })
    expect(await fail()).toBeInstanceOf(Anthropic.APIConnectionError)
    expect(open.api.requests[0]).toMatchObject({ status: 0, end: 'cut', fault: 'reset' })
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test("returns a proxy's page or a redirect", async () => {
    await start({ kind: 'page' })
    const ask = () =>
      fetch(`${open.api.url}/v1/messages`, {
        method: 'POST',
        redirect: 'manual',
        headers: { authorization: `Bearer ${open.api.key}`, 'anthropic-version': '2026-10-21' },
        body: JSON.stringify({ ...firstRequest(), stream: true }),
      })
    const page = await ask()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('request-id')).toBeNull()
    open.api.fault({ kind: 'page', status: 307, headers: { location: 'http://127.0.0.1:9/' } })
    expect((await ask()).headers.get('location')).toBe('http://127.0.0.1:9/')
    expect(open.api.requests.map(({ end, fault }) => [end, fault])).toEqual([
      ['error', 'page'],
      ['error', 'page'],
    ])
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test('returns an empty response', async () => {
    await start({ kind: 'empty' })
    expect(await lastFinal()).toMatchObject({ content: [], stop_reason: 'end_turn' })
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test('does not repeat the fault when the SDK retries', async () => {
    await start({ kind: 'status', status: 529, headers: { 'retry-after-ms': '1' } })
    const client = open.client.withOptions({ maxRetries: 2 })
    expect((await client.messages.create(firstRequest())).stop_reason).toBe('tool_use')
    expect(open.api.requests.map((record) => record.headers['x-stainless-retry-count'])).toEqual(['0', '1'])
  })
})

describe('a broken stream', () => {
  test.each([
    [{ kind: 'cut' }, ['thinking', 'text'], 'tool_use'],
    [{ kind: 'cut', afterBlock: 1 }, ['thinking', 'text'], undefined],
    [{ kind: 'cut', afterBlock: 0 }, ['thinking'], undefined],
    [{ kind: 'sse_error' }, ['thinking'], undefined],
    [{ kind: 'sse_error', afterBlock: 1, type: 'api_error' }, ['thinking', 'text'], undefined],
  ] as [FaultKind, string[], string | undefined][])('%o', async (fault, whole, begun) => {
    await start(fault)
    const stream = open.client.messages.stream(firstRequest())
    const blocks: string[] = []
    let last: string | undefined
    stream.on('contentBlock', (block) => {
      blocks.push(block.type)
    })
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_start') last = event.content_block.type
    })
    const error = (await stream.finalMessage().catch((thrown: unknown) => thrown)) as ApiError
    expect(error).toBeInstanceOf(Anthropic.AnthropicError)
    expect(blocks).toEqual(whole)
    expect(last).toBe(begun ?? whole.at(-1))
    if (fault.kind === 'sse_error') {
      expect(error.type).toBe(fault.type ?? 'overloaded_error')
      expect(error.status).toBeUndefined()
    }
    expect(open.api.requests[0]?.end).toBe(fault.kind === 'cut' ? 'cut' : 'error')
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test.each([{ kind: 'cut' }, { kind: 'sse_error' }] as FaultKind[])('in JSON mode: %o', async (fault) => {
    await start(fault)
    expect(await fail(false)).toBeInstanceOf(Anthropic.APIConnectionError)
  })

  test('sends no data during a stall and then continues', async () => {
    await start({ kind: 'stall', ms: 100, afterBlock: 1 })
    const body = { ...firstRequest(), stream: true }
    const headers = { authorization: `Bearer ${open.api.key}`, 'anthropic-version': '2026-10-21' }
    const response = await fetch(`${open.api.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    expect(text.match(/event: ping/g)).toHaveLength(1)
    expect(text).toContain('event: message_stop')
  })

  test('detects a client that disconnects from a stalled stream', async () => {
    await start({ kind: 'stall', ms: 60_000 })
    const stream = open.client.messages.stream(firstRequest())
    stream.on('contentBlock', () => stream.abort())
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await expect.poll(() => open.api.requests[0]?.end).toBe('aborted')
  })
})

describe('an invalid or unusual response', () => {
  test('contains invalid JSON in a tool call', async () => {
    await start({ kind: 'garbage_json' })
    const stream = open.client.messages.stream(firstRequest())
    let json = ''
    stream.on('inputJson', (part) => {
      json += part
    })
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.AnthropicError)
    expect(() => JSON.parse(json)).toThrow()
  })

  test('contains a refusal', async () => {
    await start({ kind: 'refusal', category: 'cyber', explanation: 'No.' })
    const message = await lastFinal()
    expect(message.stop_reason).toBe('refusal')
    expect(message.stop_details).toEqual({ type: 'refusal', category: 'cyber', explanation: 'No.' })
    expect(message.content.some((block) => block.type === 'tool_use')).toBe(false)
  })

  test('stops at max_tokens in the middle of a call, and then repeats the turn with new IDs', async () => {
    await start({ kind: 'max_tokens' })
    const cut = await lastFinal()
    expect(cut.stop_reason).toBe('max_tokens')
    const call = cut.content.at(-1)
    expect(call).toMatchObject({ type: 'tool_use', name: 'view' })
    const request = nextRequest(firstRequest(), cut, () => ({ content: 'Cut off.', is_error: true }))
    const again = await open.client.messages.stream(request).finalMessage()
    expect(again.content.at(-1)).toMatchObject({ type: 'tool_use', input: { path: 'guides/install.mdx' } })
    expect(again.content.at(-1)).not.toHaveProperty('id', (call as Anthropic.ToolUseBlock).id)
    expect(open.api.rejected()).toEqual([])
  })

  test('contains an empty input after max_tokens in JSON mode', async () => {
    await start({ kind: 'max_tokens' })
    const cut = await open.client.messages.create(firstRequest())
    expect(cut.content.at(-1)).toMatchObject({ type: 'tool_use', input: {} })
  })

  test('pause_turn: continues when the response is sent back unchanged', async () => {
    await start({ kind: 'pause_turn' })
    const paused = await lastFinal()
    expect(paused.stop_reason).toBe('pause_turn')
    const request = firstRequest()
    request.messages.push({ role: 'assistant', content: paused.content as Anthropic.ContentBlockParam[] })
    const message = await open.client.messages.stream(request).finalMessage()
    expect(message.stop_reason).toBe('tool_use')
    const next = await open.client.messages.create(nextRequest(request, message))
    expect(next.content.at(-1)).toMatchObject({ name: 'finish' })
    expect(open.api.rejected()).toEqual([])
    expect(open.api.violations()).toEqual([])
  })

  test.each([
    [{ kind: 'model_context_window_exceeded' }, 'model_context_window_exceeded'],
    [{ kind: 'unknown_stop' }, 'unheard_of'],
    [{ kind: 'unknown_stop', reason: 'tired' }, 'tired'],
  ] as [FaultKind, string][])('%o', async (fault, stop) => {
    await start(fault)
    expect((await lastFinal()).stop_reason).toBe(stop)
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })
})

describe('injected faults', () => {
  test('from a script occur the given number of times across all conversations', async () => {
    const reset: ScriptTurn = [{ fault: { kind: 'reset' } }, ...turn]
    const twice: ScriptTurn = [{ fault: { kind: 'status', status: 500, times: 2 } }, ...turn]
    await start(undefined, [reset, twice])
    await fail()
    const first = await lastFinal()
    const request = nextRequest(firstRequest(), first)
    const again = () => open.client.messages.create(request)
    await expect(again()).rejects.toBeInstanceOf(Anthropic.InternalServerError)
    await expect(again()).rejects.toBeInstanceOf(Anthropic.InternalServerError)
    expect((await again()).stop_reason).toBe('tool_use')
    expect((await open.client.messages.create(firstRequest('Another.'))).stop_reason).toBe('tool_use')
  })

  test('from a test affect only matching requests, the given number of times', async () => {
    await start()
    open.api.fault({ kind: 'reset', times: 2, match: (request) => JSON.stringify(request).includes('unlucky') })
    expect((await lastFinal()).stop_reason).toBe('tool_use')
    const unlucky = () => open.client.messages.create(firstRequest('The unlucky one.'))
    await expect(unlucky()).rejects.toThrow()
    await expect(unlucky()).rejects.toThrow()
    expect((await unlucky()).stop_reason).toBe('tool_use')
  })
})

describe('held responses', () => {
  test('are delayed, with pings', async () => {
    await start({ kind: 'delay', ms: 60 })
    const body = { ...firstRequest(), stream: true }
    const headers = { authorization: `Bearer ${open.api.key}`, 'anthropic-version': '2026-10-21' }
    const response = await fetch(`${open.api.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect((await response.text()).match(/event: ping/g)?.length).toBeGreaterThan(1)
  })

  test('are held by the script until released', async () => {
    await start(undefined, [[{ hold: 'gate' }, ...turn]])
    let done = false
    const message = lastFinal().finally(() => {
      done = true
    })
    await open.api.whenHeld('gate')
    expect(done).toBe(false)
    open.api.release('gate')
    expect((await message).stop_reason).toBe('tool_use')
    expect((await lastFinal()).stop_reason).toBe('tool_use')
  })

  test('are held by a test until released, for matching requests', async () => {
    await start()
    open.api.hold('late', (request) => JSON.stringify(request).includes('late'))
    const late = open.client.messages.create(firstRequest('A late one.'))
    await open.api.whenHeld('late')
    expect((await lastFinal()).stop_reason).toBe('tool_use')
    open.api.release('late')
    expect((await late).stop_reason).toBe('tool_use')
  })
})
