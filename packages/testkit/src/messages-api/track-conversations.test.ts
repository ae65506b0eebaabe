import type Anthropic from '@anthropic-ai/sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildModelScript } from './build-model-script.ts'
import { firstRequest, nextRequest, type OpenApi, openApi } from './test-support/open-client.ts'

type Request = Anthropic.MessageCreateParamsNonStreaming

let open: OpenApi
let second: Request

beforeEach(async () => {
  const view = [{ text: 'Looking.' }, { tool: 'view', input: { path: 'a.md', view_range: [1, 2] } }]
  open = await openApi({ modelScript: buildModelScript([view, view, view]) })
  second = nextRequest(firstRequest(), await open.client.messages.create(firstRequest()))
})
afterEach(() => open.api.close())

async function send(request: Request): Promise<Anthropic.Message | null> {
  return open.client.messages.create(request).catch(() => null)
}

test('accepts turns, retries and resumed conversations', async () => {
  const answer = await open.client.messages.create(second)
  await open.client.messages.create(second)
  const third = nextRequest(second, answer)
  await open.client.messages.create(third)
  await open.client.messages.create(second)
  await open.client.messages.create({ ...third, cache_control: { type: 'ephemeral' } })
  expect(open.api.violations()).toEqual([])
})

test('accepts two diverging conversations with the same prompt', async () => {
  const other = nextRequest(firstRequest(), await open.client.messages.create(firstRequest()), () => ({ content: 'b' }))
  for (const start of [second, other]) {
    await open.client.messages.create(nextRequest(start, await open.client.messages.create(start)))
  }
  expect(open.api.violations()).toEqual([])
})

test('accepts a conversation started before a restart', async () => {
  const restarted = await openApi({ modelScript: buildModelScript([]) })
  await restarted.client.messages.create(second)
  expect(restarted.api.violations()).toEqual([])
  await restarted.api.close()
})

test.each<[string, RegExp, number, (third: Request) => void]>([
  ['a trimmed old result', /do not match any earlier request/, 2, (third) => trimResult(third)],
  ['a system prompt with a turn counter', /model, system or tools changed/, 0, (third) => setSystem(third)],
  ['an edited last response', /last response was altered/, 3, (third) => editAnswer(third)],
  ['an inserted message', /do not match any earlier/, 3, (third) => slipIn(third)],
])('reports %s as a violation', async (_, reason, message, change) => {
  const third = nextRequest(second, await open.client.messages.create(second))
  change(third)
  await send(third)
  expect(open.api.violations()).toEqual([{ request: 2, message, reason: expect.stringMatching(reason) }])
})

function trimResult(third: Request): void {
  const content = third.messages[2]?.content as Anthropic.ToolResultBlockParam[]
  third.messages[2] = { role: 'user', content: content.map((block) => ({ ...block, content: '(trimmed)' })) }
}

function setSystem(third: Request): void {
  third.system = 'Turn 3 of 40.'
}

function editAnswer(third: Request): void {
  const content = third.messages[3]?.content as Anthropic.ContentBlockParam[]
  third.messages[3] = {
    role: 'assistant',
    content: content.map((block) => (block.type === 'text' ? { ...block, text: 'Reworded.' } : block)),
  }
}

function slipIn(third: Request): void {
  third.messages.splice(3, 0, { role: 'user', content: 'By the way.' })
}
