import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildModelScript } from './build-model-script.ts'
import { firstRequest, nextRequest, type OpenApi, openApi } from './test-support/open-client.ts'
import { type Json, type Loose, mark, refusalCases, results } from './test-support/refusal-cases.ts'

let open: OpenApi
let second: Anthropic.MessageCreateParamsNonStreaming

beforeAll(async () => {
  open = await openApi({
    contextTokens: 10_000,
    modelScript: buildModelScript([
      [{ text: 'Looking.' }, { tool: 'view', input: { path: 'a.md' } }, { tool: 'view', input: { path: 'b.md' } }],
    ]),
  })
  second = nextRequest(firstRequest(), await open.client.messages.create(firstRequest()))
})
afterAll(() => open.api.close())

async function send(body: Json, headers: Record<string, string | null> = {}): Promise<unknown> {
  return open.client.messages.create(body as never, { headers }).catch((error: unknown) => error)
}

function expectRefusal(thrown: unknown, message: RegExp, [status, type]: [number, string]): void {
  expect(thrown).toBeInstanceOf(Anthropic.APIError)
  const error = thrown as InstanceType<typeof Anthropic.APIError>
  expect(error.apiMessage).toMatch(message)
  expect(error.status).toBe(status)
  expect(error.type).toBe(type)
  expect(error.requestID).toMatch(/^req_/)
  expect(error.error).toMatchObject({ type: 'error', request_id: error.requestID })
}

describe.each(refusalCases)('rejects %s:', (_, cases) => {
  test.each(cases)('%s', async (_name, mutate, message, error = [400, 'invalid_request_error']) => {
    const body = structuredClone(second) as unknown as Loose
    mutate(body)
    expectRefusal(await send(body), message, error)
  })
})

test('accepts the valid base request and its allowed variations', async () => {
  expect(await send(second as never)).toHaveProperty('content')
  const marked = structuredClone(second) as unknown as Loose
  Object.assign(marked, {
    ...mark,
    stop_sequences: ['END'],
    output_config: { effort: 'low' },
    metadata: { user_id: 'u' },
  })
  Object.assign(marked.tools[1] ?? {}, mark)
  Object.assign(results(marked)[1] ?? {}, { is_error: true, content: [{ type: 'text', text: 'No such file.' }] })
  results(marked).push({ type: 'text', text: 'Reminder.' })
  expect(
    await send({ ...marked, system: [{ type: 'text', text: 'You maintain documentation.', ...mark }] }),
  ).toHaveProperty('content')
  const first = { ...firstRequest(), thinking: { type: 'adaptive' }, tool_choice: { type: 'auto' }, model: 'rehearsal' }
  expect(await send(first)).toHaveProperty('content')
})

test('treats a string and one text block as the same prefix', async () => {
  const first = { ...firstRequest('Shorthand.'), system: 'You maintain documentation.' }
  const next = nextRequest(first, await open.client.messages.create(first))
  next.system = [{ type: 'text', text: 'You maintain documentation.' }]
  next.messages[0] = { role: 'user', content: 'Shorthand.' }
  expect(await send(next as never)).toHaveProperty('content')
})

describe('rejects invalid headers and bodies:', () => {
  test.each([
    ['no version', { 'anthropic-version': null }, /header is required/],
    ['unknown version', { 'anthropic-version': '2027-01-01' }, /"2027-01-01" is not a valid version/],
    ['a beta', { 'anthropic-beta': 'message-threads-2026-08-12' }, /Unexpected value\(s\)/],
  ])('%s', async (_, headers, message) => {
    expectRefusal(await send(firstRequest() as never, headers), message, [400, 'invalid_request_error'])
  })

  test.each([
    ['wrong bearer', { authorization: 'Bearer sk-ant-wrong' }],
    ['no bearer', { authorization: null }],
    ['x-api-key only', { authorization: null, 'x-api-key': 'sk-ant-wrong' }],
  ])('%s', async (_, headers) => {
    const thrown = await send(firstRequest() as never, headers)
    if (thrown instanceof Anthropic.APIError && thrown.status) {
      expectRefusal(thrown, /Invalid bearer token/, [401, 'authentication_error'])
    } else expect(String(thrown)).toMatch(/Could not resolve authentication method/)
  })

  test('more than 32 MB', async () => {
    const body = { ...firstRequest(), system: 'x'.repeat(32 * 1024 * 1024) }
    expectRefusal(await send(body as never), /maximum size/, [413, 'request_too_large'])
  })

  test.each([
    ['{', 'POST', '/v1/messages', 400],
    ['[]', 'POST', '/v1/messages', 400],
    ['{}', 'POST', '/v1/complete', 404],
    [undefined, 'GET', '/v1/messages', 404],
  ])('%s to %s %s', async (body, method, path, status) => {
    const headers = { authorization: `Bearer ${open.api.key}`, 'anthropic-version': '2026-10-21' }
    const response = await fetch(`${open.api.url}${path}`, { method, headers, ...(body ? { body } : {}) })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ type: 'error', request_id: response.headers.get('request-id') })
  })

  test('max_tokens when counting', async () => {
    const thrown = await open.client.messages.countTokens(firstRequest()).catch((error: unknown) => error)
    expectRefusal(thrown, /^max_tokens: Extra inputs/, [400, 'invalid_request_error'])
  })
})

test('records every rejection in the transcript, but not as a fault', () => {
  expect(open.api.rejected().length).toBeGreaterThan(80)
  expect(open.api.rejected()).toContain('400 temperature: Extra inputs are not permitted')
})
