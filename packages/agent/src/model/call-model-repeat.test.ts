import { describe, expect, it } from 'vitest'
import { type Answer, build, event, fail, failure, good, open, say, serve } from '../test-support/serve-answers.ts'

const USAGE = { inputTokens: 33, cacheReadTokens: 66, cacheWriteTokens: 99 }

describe('retryable errors', () => {
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
    say(response, '{"path":,}')
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
    ['a connection reset', reset],
    ['a dropped connection', cut],
    ['a missing message_stop', ended],
    ['tool input that is not JSON', broken],
    ['an overloaded error in the stream', inStream('overloaded_error')],
    ['an API error in the stream', inStream('api_error')],
  ])('retries after %s', async (_, answer) => {
    const { url, requests } = await serve(answer, answer, good)
    const { call, waits } = build(url)
    expect(await call()).toMatchObject({ stopReason: 'tool_use' })
    expect(requests.map(({ body }) => body)).toEqual(Array(3).fill(requests[0]!.body))
    expect(waits).toHaveLength(2)
  })

  it.each<[name: string, answer: Answer, reason: string]>([
    ['tool input that is not JSON', broken, 'the input of a "view" call is not valid JSON'],
    [
      'a stream of another API',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices":[]}\n\n')
      },
      'no message of the Messages API',
    ],
  ])('repeats the call twice after %s, then fails with the reason and the usage', async (_, answer, reason) => {
    const { url, requests } = await serve(answer)
    const error = await failure(build(url, { maxRetries: 9 }).call())
    expect(error).toMatchObject({ code: 'model_bad_reply', message: expect.stringContaining(reason) })
    expect(requests).toHaveLength(3)
    expect(error.spent).toEqual(answer === broken ? { ...USAGE, outputTokens: 3 * 44 } : null)
  })

  it('gives up after six attempts with increasing waits', async () => {
    const { url, requests } = await serve(fail(529))
    const { call, waits } = build(url, { firstWaitMs: 4 })
    expect(await failure(call())).toMatchObject({ code: 'model_unavailable', retryable: true })
    expect(requests).toHaveLength(6)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(2 * 2 ** index)
      expect(wait).toBeLessThanOrEqual(4 * 2 ** index)
    }
  })

  it('throws an error instead of waiting for more than one minute in total', async () => {
    const { url, requests } = await serve(
      fail(429, undefined, { 'retry-after-ms': '40' }),
      fail(429, undefined, { 'retry-after-ms': '59961' }),
    )
    expect(await failure(build(url).call())).toMatchObject({ retryable: true, retryAfterMs: 59_961 })
    expect(requests).toHaveLength(2)
  })

  it("retries after a proxy's HTML page", async () => {
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

  it('does not follow a redirect', async () => {
    const elsewhere = await serve(good)
    const location = `${elsewhere.url}/v1/messages`
    const { url, requests } = await serve((response) => response.writeHead(307, { location }).end())
    const error = await failure(build(url).call())
    expect(error).toMatchObject({ code: 'model_bad_reply', retryable: false, message: expect.stringContaining('307') })
    expect(requests).toHaveLength(1)
    expect(elsewhere.requests).toEqual([])
  })

  it('honors a requested wait', async () => {
    const { url } = await serve(fail(429, undefined, { 'retry-after-ms': '120' }), good)
    const { call, waits } = build(url)
    await call()
    expect(waits).toEqual([120])
  })

  it('throws an error instead of sleeping for a long requested wait', async () => {
    const { url, requests } = await serve(fail(429, undefined, { 'retry-after': '61' }), good)
    expect(await failure(build(url).call())).toMatchObject({ retryable: true, retryAfterMs: 61_000 })
    expect(requests).toHaveLength(1)
  })
})
