import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildModelScript } from './build-model-script.ts'
import { firstRequest, model, nextRequest, type OpenApi, openApi, tools } from './test-support/open-client.ts'

let open: OpenApi
const long = 'A sentence that takes several deltas, with an emoji 🪶 and "quotes". '.repeat(40)

beforeAll(async () => {
  open = await openApi({
    minCacheTokens: 1,
    modelScript: buildModelScript([
      [{ text: long }, { tool: 'view', input: { path: 'index.mdx' } }, { tool: 'view', input: { path: 'b.mdx' } }],
      [{ thinking: 'Hm.' }, { text: 'Nothing to do.' }],
    ]),
  })
})
afterAll(() => open.api.close())

describe('a conversation', () => {
  test('returns the same content as a stream and as JSON', async () => {
    const whole = await open.client.messages.create(firstRequest())
    const stream = open.client.messages.stream(firstRequest())
    let deltas = 0
    stream.on('text', () => {
      deltas += 1
    })
    const streamed = await stream.finalMessage()
    expect(JSON.parse(JSON.stringify(streamed.content))).toEqual(whole.content)
    expect(deltas).toBeGreaterThan(20)
    expect(streamed.stop_reason).toBe('tool_use')
    expect(streamed.model).toBe(model)
    const text = streamed.content.find((block) => block.type === 'text')
    expect(text?.text).toBe(long)
    const calls = streamed.content.filter((block) => block.type === 'tool_use')
    expect(calls.map((call) => call.input)).toEqual([
      { path: 'index.mdx', view_range: null },
      { path: 'b.mdx', view_range: null },
    ])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(stream.request_id).toMatch(/^req_/)
  })

  test('continues from streamed content until the script has finished', async () => {
    let request = firstRequest('From streamed content.')
    const said: string[] = []
    for (let turn = 0; turn < 7; turn += 1) {
      const message = await open.client.messages.stream(request).finalMessage()
      said.push(message.content.map((block) => (block.type === 'tool_use' ? block.name : block.type)).join(' '))
      request = nextRequest(request, message)
    }
    expect(said).toEqual([
      'thinking text view view',
      'thinking text',
      ...Array.from({ length: 4 }, () => 'thinking text finish'),
      'thinking text',
    ])
    expect(open.api.rejected()).toEqual([])
    expect(open.api.violations()).toEqual([])
  })

  test('returns the same response with the same IDs to a repeated request', async () => {
    const [one, two] = await Promise.all([
      open.client.messages.create(firstRequest('Twice.')),
      open.client.messages.create(firstRequest('Twice.')),
    ])
    expect(two.content).toEqual(one.content)
    expect(two.id).not.toBe(one.id)
  })

  test("reads the cache on the second turn up to the first turn's breakpoint", async () => {
    const request = { ...firstRequest('Cached.'), cache_control: { type: 'ephemeral' as const } }
    const first = await open.client.messages.create(request)
    expect(first.usage.cache_read_input_tokens).toBe(0)
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(20)
    const second = await open.client.messages.stream(nextRequest(request, first)).finalMessage()
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens)
    expect(second.usage.cache_creation_input_tokens).toBeGreaterThan(500)
    expect(second.usage.input_tokens).toBe(0)
    expect(second.usage.output_tokens).toBeGreaterThan(3)
    const other = await open.client.messages.create({ ...request, system: 'Another.' })
    expect(other.usage.cache_read_input_tokens).toBe(0)
  })

  test('counts tokens and lists models', async () => {
    const { max_tokens: _, ...counted } = firstRequest()
    const { input_tokens } = await open.client.messages.countTokens(counted)
    expect(input_tokens).toBeGreaterThan(50)
    const ids: string[] = []
    for await (const one of open.client.models.list()) ids.push(one.id)
    expect(ids).toContain('rehearsal')
    expect((await open.client.models.retrieve('claude-haiku-5-5')).line).toBe('haiku')
    await expect(open.client.models.retrieve('gpt-9')).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })

  test('returns no tool call with tool_choice none, and only one if parallel calls are disabled', async () => {
    const off = await open.client.messages.create({ ...firstRequest('Off.'), tool_choice: { type: 'none' } })
    expect(off.content.map((block) => block.type)).toEqual(['thinking', 'text'])
    expect(off.stop_reason).toBe('end_turn')
    const one = await open.client.messages.create({
      ...firstRequest('One.'),
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    expect(one.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use'])
  })

  test('stops at max_tokens and repeats the turn', async () => {
    const request = { ...firstRequest('Short.'), max_tokens: 30 }
    const cut = await open.client.messages.create(request)
    expect(cut.stop_reason).toBe('max_tokens')
    expect(cut.usage.output_tokens).toBeLessThan(40)
    const again = await open.client.messages.create({ ...nextRequest(request, cut), max_tokens: 16_000 })
    expect(again.content.filter((block) => block.type === 'tool_use')).toHaveLength(2)
  })

  test('does not record credentials in the transcript', async () => {
    await open.client.messages.create(firstRequest())
    expect(JSON.stringify(open.api.requests)).not.toContain(open.api.key)
    expect(open.api.requests.at(-1)).toMatchObject({ status: 200, end: 'complete', stopReason: 'tool_use' })
  })
})

test('accepts only the configured models', async () => {
  const { api, client } = await openApi({ modelScript: buildModelScript([]), models: ['rehearsal'] })
  await expect(client.messages.create(firstRequest())).rejects.toThrow(/404.*model: claude-sonnet-5-5/)
  await client.messages.create({ ...firstRequest(), model: 'rehearsal' })
  await api.close()
})

test('keeps the bodies of only the newest requests', async () => {
  const { api, client } = await openApi({ modelScript: buildModelScript([]), keepBodies: 1 })
  await client.messages.create(firstRequest('One.'))
  await client.messages.create(firstRequest('Two.'))
  expect(api.requests.map((record) => 'body' in record)).toEqual([false, true])
  await api.close()
})

test("returns 500 with the scripted model's error and no stack trace", async () => {
  const { api, client } = await openApi({
    modelScript: () => {
      throw new Error('No idea.')
    },
  })
  const error = await client.messages.create({ ...firstRequest(), tools }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Anthropic.InternalServerError)
  expect((error as InstanceType<typeof Anthropic.APIError>).apiMessage).toBe(
    'The scripted model failed: Error: No idea.',
  )
  await api.close()
})
