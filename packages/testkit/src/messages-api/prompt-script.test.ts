import type Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildModelScript } from './build-model-script.ts'
import { promptModelScript, scriptPrompt } from './prompt-script.ts'
import type { ScriptTurn } from './script-turn.ts'
import { firstRequest, nextRequest, type OpenApi, openApi } from './test-support/open-client.ts'

let open: OpenApi
beforeAll(async () => {
  open = await openApi({ modelScript: promptModelScript })
})
afterAll(() => open.api.close())

const view = (path: string): ScriptTurn => [{ text: `Reading ${path}.` }, { tool: 'view', input: { path } }]

function callsOf(message: Anthropic.Message): unknown[] {
  return message.content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : []))
}

async function play(prompt: string, turns: number): Promise<unknown[]> {
  let request = firstRequest(`<task>\n${prompt}\n</task>\nAnd more.`)
  const calls: unknown[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const message = await open.client.messages.stream(request).finalMessage()
    calls.push(...callsOf(message))
    request = nextRequest(request, message)
  }
  return calls
}

test('follows a separate script for each concurrent job', async () => {
  const jobs = Array.from({ length: 20 }, (_, index) => [view(`a${index}.md`), view(`b${index}.md`)])
  const played = await Promise.all(jobs.map((turns, index) => play(scriptPrompt(`Job ${index}`, turns), 4)))
  for (const [index, calls] of played.entries()) {
    expect(calls).toEqual([
      ['view', { path: `a${index}.md`, view_range: null }],
      ['view', { path: `b${index}.md`, view_range: null }],
      ['finish', expect.objectContaining({ outcome: 'changed' })],
      ['finish', expect.objectContaining({ outcome: 'changed' })],
    ])
  }
  expect(open.api.rejected()).toEqual([])
})

test("confirms the script's finish call", async () => {
  const finish: ScriptTurn = [{ tool: 'finish', input: { outcome: 'no_change', reason: 'Done already.' } }]
  const calls = await play(scriptPrompt('Nothing', [finish]), 2)
  expect(calls).toEqual(Array(2).fill(['finish', { outcome: 'no_change', reason: 'Done already.' }]))
})

test("injects a prompt's fault once per ID, even in a new conversation", async () => {
  const turns: ScriptTurn[] = [[{ fault: { kind: 'status', status: 500 } }, ...view('a.md')]]
  const prompt = scriptPrompt('Faulty', turns, { id: 'job-1' })
  await expect(play(prompt, 1)).rejects.toThrow('500')
  expect(await play(`Summary of the work so far.\n${prompt}`, 1)).toHaveLength(1)
  await expect(play(scriptPrompt('Faulty', turns, { id: 'job-2' }), 1)).rejects.toThrow('500')
  expect(open.api.requests.at(-1)?.label).toBe('job-2/0')
})

test('starts a new script for a follow-up prompt', async () => {
  const first = firstRequest(scriptPrompt('One', [view('a.md')]))
  const message = await open.client.messages.create(first)
  const next = nextRequest(first, message)
  const content = next.messages.at(-1)?.content as Anthropic.ContentBlockParam[]
  content.push({ type: 'text', text: scriptPrompt('Two', [view('c.md')]) })
  expect(callsOf(await open.client.messages.create(next))).toEqual([
    ['view', expect.objectContaining({ path: 'c.md' })],
  ])
})

test('finishes as impossible if the prompt contains no script', async () => {
  expect(await play('Write something nice.', 1)).toEqual([
    ['finish', expect.objectContaining({ outcome: 'impossible' })],
  ])
})

test('supports a script that is a function of the request', async () => {
  const own = await openApi({
    modelScript: buildModelScript((request) => [{ text: `You sent ${request.messages.length} messages.` }]),
  })
  const request = firstRequest()
  const message = await own.client.messages.create(request)
  const next = await own.client.messages.create(nextRequest(request, message))
  expect(next.content.at(-1)).toMatchObject({ text: 'You sent 3 messages.' })
  await own.api.close()
})
