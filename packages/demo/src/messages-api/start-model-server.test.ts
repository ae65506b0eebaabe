import Anthropic, { type APIError } from '@anthropic-ai/sdk'
import { expect, onTestFinished, test } from 'vitest'
import type { ModelScript } from './model-script.ts'
import { startModelServer } from './start-model-server.ts'

const ask = { model: 'rehearsal', max_tokens: 1_000, messages: [{ role: 'user' as const, content: 'Hello' }] }

async function open(modelScript: ModelScript = () => ({ content: [{ type: 'text', text: 'Hello, too.' }] })) {
  const server = await startModelServer({ modelScript, model: 'rehearsal' })
  onTestFinished(() => server.close())
  const client = (authToken = server.key) =>
    new Anthropic({ baseURL: server.url, apiKey: null, authToken, maxRetries: 0 })
  return { server, client }
}

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error as APIError).status,
  )

test('streams the turn from its scripted model', async () => {
  const { client } = await open()
  const message = await client().messages.stream(ask).finalMessage()
  expect(message.content).toMatchObject([{ type: 'thinking' }, { type: 'text', text: 'Hello, too.' }])
  expect(message).toMatchObject({ model: 'rehearsal', stop_reason: 'end_turn' })
  expect(message.usage.input_tokens).toBeGreaterThan(0)
})

test('rejects a wrong key, an unknown model and a request without streaming', async () => {
  const { client } = await open()
  expect(await statusOf(client('sk-ant-other').messages.stream(ask).finalMessage())).toBe(401)
  expect(
    await statusOf(
      client()
        .messages.stream({ ...ask, model: 'claude-opus-5-5' })
        .finalMessage(),
    ),
  ).toBe(404)
  expect(await statusOf(client().messages.create(ask))).toBe(400)
  expect(await statusOf(client().models.list().then())).toBe(404)
})

test('responds with 500 if its scripted model throws', async () => {
  const { client } = await open(() => {
    throw new Error('no rule')
  })
  expect(await statusOf(client().messages.stream(ask).finalMessage())).toBe(500)
})
