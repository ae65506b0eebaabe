import { buildModelScript, startMessagesApi } from '@corrigenda/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildCallModel } from '../model/call-model.ts'
import type { CallModel } from '../model/model-call.ts'
import { ModelError } from '../model/model-error.ts'
import { DEFAULT_PRICES, toCost } from '../model/to-cost.ts'
import type { TurnUsage } from '../model/transcript.ts'
import { CHANGED, type ScriptedTurn, scriptModel } from '../test-support/script-model.ts'
import { MODEL, startAgent } from '../test-support/start-agent.ts'
import { DEFAULT_BUDGETS } from './check-budget.ts'
import { findTruncation } from './find-truncation.ts'

const FINISH = { calls: [['finish', CHANGED]] } as const
const write = (n: number): ScriptedTurn => ({
  calls: [['insert', { path: 'start.mdx', insert_line: 7, insert_text: `line ${n}` }]],
})
const USED: TurnUsage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 }
const FALLBACK = 'claude-opus-5-5'

describe('prices', () => {
  it.each<[model: string, usage: Partial<TurnUsage>, dollars: number]>([
    ['claude-sonnet-5-5', { inputTokens: 1_000_000 }, 2],
    ['claude-sonnet-5-5', { outputTokens: 1_000_000 }, 10],
    ['claude-sonnet-5-5', { cacheReadTokens: 1_000_000 }, 0.2],
    ['claude-sonnet-5-5', { cacheWriteTokens: 1_000_000 }, 2.5],
    ['claude-haiku-5-5', { inputTokens: 40_000, cacheReadTokens: 60_000 }, 0.0046],
    ['claude-haiku-5-5', { inputTokens: 40_001, cacheReadTokens: 60_000 }, 0.0230005],
    ['claude-haiku-5-5', { inputTokens: 100_001, outputTokens: 1000 }, 0.0525005],
  ])('prices %s %j', (model, usage, dollars) => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
    expect(toCost(DEFAULT_PRICES, model, { ...none, ...usage })).toBeCloseTo(dollars, 9)
  })

  it.each(['unheard-of', 'toString', ''])('returns no cost for the unknown model %j', (model) => {
    expect(toCost(DEFAULT_PRICES, model, USED)).toBeNull()
  })
})

describe('failed attempts', () => {
  it('include a reply that could not be stored', async () => {
    const harness = startAgent()
    const { append, load } = harness.transcript
    const transcript: typeof harness.transcript = {
      ...harness.transcript,
      load,
      append: async (rows, ...rest) => {
        if (rows.some(({ row }) => row.role === 'assistant')) throw new TypeError('cannot be stored')
        await append(rows, ...rest)
      },
    }
    const broken = startAgent({ deps: { transcript } })
    await expect(broken.script([{ ...write(1), usage: { inputTokens: 700 } }])).rejects.toThrow('cannot be stored')
    expect(harness.transcript.usage).toMatchObject({ inputTokens: 700, outputTokens: 10, turns: 0 })
  })

  it('count toward the usage together with the next reply', async () => {
    const harness = startAgent()
    const { callModel } = scriptModel([write(1), FINISH, FINISH])
    let calls = 0
    const flaky: CallModel = async (request, control) => {
      calls += 1
      const reply = await callModel(request, control)
      return calls === 2 ? { ...reply, failed: { ...USED, inputTokens: 5000 } } : reply
    }
    const result = await harness.run(flaky)
    expect(result.usage).toMatchObject({ inputTokens: 300 + 5000, outputTokens: 40, turns: 3 })
    expect(result.usage.costUsd).toBeCloseTo((5300 * 2 + 40 * 10) / 1e6, 9)
  })

  it.each<
    [code: 'model_bad_reply' | 'model_context_exceeded' | 'model_unavailable', kind: string, wait: number | null]
  >([
    ['model_bad_reply', 'stopped', null],
    ['model_unavailable', 'deferred', 3_600_000],
    ['model_context_exceeded', 'finished', null],
  ])('count toward the usage, even without a reply or after a resume: %s', async (code, kind, retryAfterMs) => {
    const error = new ModelError(code, 'No.', { retryable: retryAfterMs !== null, retryAfterMs })
    error.spent = { ...USED, inputTokens: 7000 }
    const harness = startAgent()
    const { result } = await harness.script([write(1), { throws: error }, write(2), FINISH, FINISH])
    expect(result.kind).toBe(kind)
    const replies = result.usage.turns
    expect(result.usage.inputTokens).toBe(replies * 100 + 7000)
    // A resumed run calculates the same usage from the rows.
    const resumed = await harness.script([write(3), FINISH, FINISH])
    expect(resumed.result.usage.inputTokens).toBe(resumed.result.usage.turns * 100 + 7000)
  })

  it('are metered while streaming, even if the stream is interrupted or exceeds the deadline', async () => {
    const cut = [{ fault: { kind: 'cut' as const } }, { tool: 'view', input: { path: 'start.mdx' } }]
    const api = await startMessagesApi({ modelScript: buildModelScript([cut]) })
    onTestFinished(() => api.close())
    const request = {
      model: MODEL,
      max_tokens: 1000,
      tools: [{ name: 'view', input_schema: { type: 'object' as const } }],
      messages: [{ role: 'user' as const, content: 'x'.repeat(4000) }],
    }
    const callModel = buildCallModel({ apiKey: api.key, baseUrl: api.url, firstWaitMs: 1 })
    const { signal } = new AbortController()
    const reply = await callModel(request, { signal })
    expect(reply.failed?.inputTokens).toBe(reply.usage.inputTokens)
    expect(reply.failed?.outputTokens).toBeGreaterThan(0)
    const held = await startMessagesApi({
      modelScript: () => ({ content: [{ type: 'text', text: 'x' }], hold: 'hold' }),
    })
    onTestFinished(() => held.close())
    const slow = buildCallModel({ apiKey: held.key, baseUrl: held.url })
    const error = await slow(request, { signal, timeoutMs: 3_000 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'model_deadline', spent: { inputTokens: reply.usage.inputTokens } })
  })
})

describe('the fallback model', () => {
  const setup = (fallbackModel: string | null) =>
    startAgent({ input: { options: { fallbackModel } }, deps: { prices: DEFAULT_PRICES } })
  const refusing = (models: readonly string[]) =>
    scriptModel(({ model, messages }) => {
      if (models.includes(model)) return { text: 'No.', stopReason: 'refusal' }
      return JSON.stringify(messages).includes('line 1') ? FINISH : write(1)
    })

  it('takes over in a new conversation after a refusal and is billed at its own price', async () => {
    const harness = setup(FALLBACK)
    const { callModel, requests } = refusing([MODEL])
    const result = await harness.run(callModel)
    expect(result).toMatchObject({ kind: 'finished', outcome: 'changed', model: FALLBACK })
    expect(requests.map(({ model }) => model)).toEqual([MODEL, FALLBACK, FALLBACK, FALLBACK])
    expect(requests[1]?.messages).toHaveLength(1)
    expect(result.usage.costUsd).toBeCloseTo((100 * 2 + 10 * 10 + 3 * (100 * 4 + 10 * 20)) / 1e6, 9)
  })

  it('stops the run if it also refuses', async () => {
    const { callModel, requests } = refusing([MODEL, FALLBACK])
    expect(await setup(FALLBACK).run(callModel)).toMatchObject({ kind: 'stopped', code: 'model_refused' })
    expect(requests).toHaveLength(2)
  })

  it.each([null, MODEL])('stops the run and reports the refusal category if the fallback is %j', async (fallback) => {
    const { callModel, requests } = refusing([MODEL])
    const named: CallModel = async (request, control) => ({
      ...(await callModel(request, control)),
      refusalCategory: 'cyber',
    })
    const message = 'The model declined to work on this request (category: cyber).'
    expect(await setup(fallback).run(named)).toMatchObject({ kind: 'stopped', code: 'model_refused', message })
    expect(requests).toHaveLength(1)
  })

  it('stays in use after a resume', async () => {
    const harness = setup(FALLBACK)
    const { callModel } = refusing([MODEL])
    const crashing: CallModel = async (request, control) => {
      if (request.model === FALLBACK) throw new Error('the process crashed')
      return callModel(request, control)
    }
    await expect(harness.run(crashing)).rejects.toThrow('crashed')
    const next = refusing([MODEL])
    expect(await harness.run(next.callModel)).toMatchObject({ kind: 'finished', model: FALLBACK })
    expect(new Set(next.requests.map(({ model }) => model))).toEqual(new Set([FALLBACK]))
  })
})

it('a resumed run continues with its remaining budget', async () => {
  const harness = startAgent({ input: { budgets: { ...DEFAULT_BUDGETS, maxTurns: 6 } } })
  const { callModel, requests } = scriptModel(Array.from({ length: 9 }, (_, n) => write(n)))
  const crashing: CallModel = async (request, control) => {
    if (requests.length === 4) throw new Error('the process crashed')
    return callModel(request, control)
  }
  await expect(harness.run(crashing)).rejects.toThrow('crashed')
  const { result, requests: after } = await harness.script(Array.from({ length: 9 }, (_, n) => write(10 + n)))
  expect(result).toMatchObject({ kind: 'stopped', code: 'budget_turns', usage: { turns: 6 } })
  expect(after).toHaveLength(2)
})

it('runs only the configured number of calls per turn and requests one call at a time', async () => {
  const harness = startAgent({ input: { options: { parallelCalls: 1 } } })
  const two: ScriptedTurn = { calls: [...write(1).calls!, ...write(2).calls!] }
  const { requests } = await harness.script([two, FINISH, FINISH])
  expect(requests[0]?.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true })
  expect(harness.workspace.text('start.mdx')).toContain('line 1')
  expect(harness.workspace.text('start.mdx')).not.toContain('line 2')
  expect(JSON.stringify(requests[1]?.messages)).toContain('the limit is 1 tool call per turn')
})

describe('findTruncation', () => {
  type State = Parameters<typeof findTruncation>[0]
  const header = {
    system: [{ type: 'text' as const, text: 'word '.repeat(2000) }],
    tools: [],
    model: MODEL,
    harnessVersion: '1',
  }
  const reply = (inputTokens: number, content: unknown[] = [{ type: 'text', text: 'ok' }]) =>
    ({ role: 'assistant', content, stopReason: 'tool_use', usage: { ...USED, inputTokens }, requestId: null }) as never
  const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })
  const find = (...rows: State['rows']) => findTruncation({ header, rows })

  it.each<[name: string, rows: State['rows'], found: boolean]>([
    ['a plausible token count', [user('x'), reply(2500)], false],
    ['an implausibly low token count', [user('x'), reply(900)], true],
    ['no reported tokens', [user('x'), reply(0)], false],
    ['a prompt that grows', [user('x'), reply(2500), user('word '.repeat(4000)), reply(7000)], false],
    ['a prompt that does not grow', [user('x'), reply(4096), user('word '.repeat(4000)), reply(4096)], true],
    [
      'a prompt that does not grow after earlier thinking',
      [user('x'), reply(9000, [{ type: 'thinking', thinking: 'h', signature: 's' }]), user('y'), reply(3000)],
      false,
    ],
    ['a long line of dashes', [user('-'.repeat(100_000)), reply(2600)], false],
  ])('evaluates %s', (_, rows, found) => {
    expect(find(...rows) !== null).toBe(found)
  })
})
