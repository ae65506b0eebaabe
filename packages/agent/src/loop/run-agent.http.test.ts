import { buildModelScript, type MessagesApi, startMessagesApi } from '@corrigenda/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { buildCallModel } from '../model/call-model.ts'
import { startAgent } from '../test-support/start-agent.ts'

type Turns = Parameters<typeof buildModelScript>[0]

const apis: MessagesApi[] = []
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close()
})

const VIEW_TURN = [
  { text: 'I look.' },
  { tool: 'view', input: { path: 'start.mdx' } },
  { tool: 'search', input: { query: 'tool' } },
]
const EDIT = { tool: 'edit', input: { path: 'start.mdx', old_str: 'Install the tool.', new_str: 'Get it.' } }
const WRITE = [EDIT, { tool: 'insert', input: { path: 'start.mdx', insert_line: 7, insert_text: 'More.' } }]

async function harness(turns: Turns, idleTimeoutMs = 60_000) {
  const api = await startMessagesApi({ modelScript: buildModelScript(turns), pingMs: 20 })
  apis.push(api)
  const agent = startAgent()
  const callModel = buildCallModel({ apiKey: api.key, baseUrl: api.url, firstWaitMs: 1, idleTimeoutMs })
  return { api, agent, callModel, run: () => agent.run(callModel) }
}

describe('over HTTP, against a server as strict as the API', () => {
  it('finishes a run without a rejected request', async () => {
    const { api, agent, run } = await harness([
      VIEW_TURN,
      [{ text: 'Hm.' }],
      WRITE,
      [{ tool: 'check_docs' }, { tool: 'nothing' }],
    ])
    expect(await run()).toMatchObject({ kind: 'finished', outcome: 'changed', usage: { turns: 6 } })
    expect(agent.workspace.text('start.mdx')).toMatch(/Get it\.\nMore\.\n$/)
    expect(api.rejected()).toEqual([])
    expect(api.violations()).toEqual([])
    const { cacheReadTokens, inputTokens } = agent.transcript.usage!
    expect(cacheReadTokens).toBeGreaterThan(inputTokens)
  })

  it.each([
    { kind: 'status', status: 529 },
    { kind: 'status', status: 500, times: 3 },
    { kind: 'status', status: 429, headers: { 'retry-after-ms': '10' } },
    { kind: 'reset' },
    { kind: 'cut' },
    { kind: 'stall', ms: 5_000 },
    { kind: 'sse_error', type: 'overloaded_error' },
    { kind: 'garbage_json' },
    { kind: 'max_tokens' },
    { kind: 'pause_turn' },
    { kind: 'model_context_window_exceeded' },
    { kind: 'delay', ms: 100 },
  ] as const)('recovers from %j', async (fault) => {
    const { api, agent, run } = await harness(
      [VIEW_TURN, [...WRITE, { fault }]],
      fault.kind === 'stall' ? 1_000 : undefined,
    )
    expect(await run()).toMatchObject({ kind: 'finished', outcome: 'changed' })
    expect(agent.workspace.text('start.mdx')).toMatch(/Get it\.\nMore\.\n$/)
    expect(api.rejected()).toEqual([])
    expect(api.violations()).toEqual([])
  })

  it.each([
    [
      { kind: 'refusal', category: 'cyber' },
      { kind: 'stopped', code: 'model_refused' },
    ],
    [{ kind: 'unknown_stop' }, { kind: 'stopped', code: 'model_bad_reply' }],
    [
      { kind: 'status', status: 401, times: 9 },
      { kind: 'stopped', code: 'model_unauthorized' },
    ],
    [
      { kind: 'status', status: 402, times: 9 },
      { kind: 'stopped', code: 'model_billing' },
    ],
    [
      { kind: 'status', status: 404, times: 9 },
      { kind: 'stopped', code: 'model_not_found' },
    ],
    [
      { kind: 'status', status: 503, times: 9 },
      { kind: 'stopped', code: 'model_unavailable' },
    ],
    [{ kind: 'status', status: 429, headers: { 'retry-after': '600' } }, { kind: 'deferred' }],
  ] as const)('stops or defers the run after %j', async (fault, expected) => {
    const { api, agent, run } = await harness([VIEW_TURN, [...WRITE, { fault }]])
    expect(await run()).toMatchObject(expected)
    expect(await agent.workspace.changes()).toEqual([])
    expect(api.rejected()).toEqual([])
  })

  it('continues in a new conversation after a rejected prefix', async () => {
    const { api, agent, run } = await harness([VIEW_TURN, WRITE])
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    api.fault({ kind: 'status', status: 400, message, match: ({ messages }) => messages.length > 3 })
    expect(await run()).toMatchObject({ kind: 'finished' })
    expect(agent.progress.filter(({ type }) => type === 'conversation')).toHaveLength(2)
    expect(api.rejected()).toEqual([])
    expect(api.violations()).toEqual([])
  })

  it('produces the same files without a rejected request when killed at every append', async () => {
    const { api, agent, run } = await harness([VIEW_TURN, WRITE, [{ tool: 'check_docs' }]])
    const crash = new Error('killed')
    const done = new Set<string>()
    const killOnce = (when: string) => () => {
      const key = `${when} ${agent.transcript.rows.length}`
      if (done.has(key)) return
      done.add(key)
      throw crash
    }
    agent.transcript.beforeAppend = killOnce('before')
    agent.transcript.afterAppend = killOnce('after')
    let result: Awaited<ReturnType<typeof run>> | null = null
    for (let life = 0; life < 40 && result === null; life += 1) {
      result = await run().catch((error: unknown) => {
        if (error !== crash) throw error
        agent.transcript.recover()
        return null
      })
    }
    expect(result).toMatchObject({ kind: 'finished', outcome: 'changed', usage: { turns: 5 } })
    expect(done.size).toBe(22)
    expect(agent.workspace.text('start.mdx')).toMatch(/Get it\.\nMore\.\n$/)
    expect(api.rejected()).toEqual([])
    expect(api.violations()).toEqual([])
  })

  it('cancels the request on abort', async () => {
    const { api, agent, callModel } = await harness([VIEW_TURN, [{ hold: 'here' }, ...WRITE]])
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const running = agent.run(callModel, controller.signal)
    await api.whenHeld('here')
    controller.abort(reason)
    await expect(running).rejects.toBe(reason)
    api.release('here')
  })
})
