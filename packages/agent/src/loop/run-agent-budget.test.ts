import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../model/model-call.ts'
import { CHANGED, type ScriptedTurn } from '../test-support/script-model.ts'
import { MODEL, STARTED, startAgent } from '../test-support/start-agent.ts'
import { type Budgets, DEFAULT_BUDGETS } from './check-budget.ts'

const FINISH = { calls: [['finish', CHANGED]] } as const
const write = (n: number, usage: ScriptedTurn['usage'] = {}): ScriptedTurn => ({
  calls: [['insert', { path: 'start.mdx', insert_line: 7, insert_text: `line ${n}` }]],
  usage,
})
const start = (budgets: Partial<Budgets>, deps = {}) =>
  startAgent({ input: { budgets: { ...DEFAULT_BUDGETS, ...budgets } }, deps })
const notes = (request: ModelRequest) =>
  (request.messages.at(-1)!.content as Anthropic.ContentBlockParam[]).flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  )
const WARNING = expect.stringContaining('most of the budget')
const WRAP_UP = expect.stringContaining('This is your last turn')

describe('budgets', () => {
  it('warns at 80% of the turns, uses the last turn as the wrap-up turn and never exceeds the limit', async () => {
    const harness = start({ maxTurns: 11 })
    const { result, requests } = await harness.script(Array.from({ length: 20 }, (_, n) => write(n)))
    expect(result).toMatchObject({ kind: 'stopped', code: 'budget_turns', usage: { turns: 11 } })
    expect(requests).toHaveLength(11)
    expect(notes(requests[7]!)).toEqual([])
    expect(notes(requests[8]!)).toEqual([WARNING])
    expect(notes(requests[9]!)).toEqual([])
    expect(notes(requests[10]!)).toEqual([WRAP_UP])
    expect(harness.workspace.text('start.mdx')).toContain('line 10')
  })

  it.each<[code: string, budgets: Partial<Budgets>, usage: ScriptedTurn['usage']]>([
    ['budget_tokens', { maxInputTokens: 1000 }, { inputTokens: 100, cacheReadTokens: 200, cacheWriteTokens: 100 }],
    ['budget_tokens', { maxOutputTokens: 1000 }, { outputTokens: 400 }],
    ['budget_cost', { maxCostUsd: 1 }, { inputTokens: 0, outputTokens: 40_000 }],
  ])('%s %j: grants one wrap-up turn after the limit', async (code, budgets, usage) => {
    const harness = start({ maxOutputTokens: 1_000_000, ...budgets })
    const { result, requests } = await harness.script(Array.from({ length: 9 }, (_, n) => write(n, usage)))
    expect(result).toMatchObject({ kind: 'stopped', code, usage: { turns: 4 } })
    expect(notes(requests[2]!)).toEqual([WARNING])
    expect(notes(requests[3]!)).toEqual([WRAP_UP])
  })

  it('measures the time from the start of the run', async () => {
    let seconds = 0
    const now = () => {
      seconds += 5
      return new Date(STARTED.getTime() + seconds * 1000)
    }
    const harness = start({ maxSeconds: 100 }, { now })
    const { result } = await harness.script(Array.from({ length: 99 }, (_, n) => write(n)))
    expect(result).toMatchObject({
      kind: 'stopped',
      code: 'budget_time',
      message: expect.stringContaining('100 seconds'),
    })
  })

  it('grants only the wrap-up turn to a run that resumes after its time limit', async () => {
    const harness = start({}, { now: () => new Date(STARTED.getTime() + 3_600_000) })
    const { result, requests } = await harness.script([write(1), write(2)])
    expect(result).toMatchObject({ kind: 'stopped', code: 'budget_time', usage: { turns: 1 } })
    expect(notes(requests[0]!).at(-1)).toEqual(WRAP_UP)
  })

  it('ignores the cost budget only for configured models without a price', async () => {
    const prices = { other: { input: 1, output: 10, cacheRead: 1, cacheWrite: 1 } }
    const budgets = { maxCostUsd: 0.4, maxOutputTokens: 1_000_000 }
    const usage = { inputTokens: 0, outputTokens: 40_000 }
    const turns = [write(1, usage), FINISH, FINISH]
    const configured = await start(budgets, { prices, modelsWithoutCostBudget: [MODEL] }).script(turns)
    expect(configured.result).toMatchObject({ kind: 'finished', usage: { costUsd: null, turns: 3 } })
    const chosenByCaller = await start(budgets, { prices }).script([write(1, usage), write(2, usage), write(3, usage)])
    expect(chosenByCaller.result).toMatchObject({ kind: 'stopped', code: 'budget_cost', usage: { costUsd: null } })
  })

  it('stops before the next turn when a monthly budget is used up', async () => {
    let asked = 0
    const describeSpentBudget = async () => (++asked < 3 ? null : 'The monthly budget is used up.')
    const { result, requests } = await start({}, { describeSpentBudget }).script([write(1), write(2), write(3)])
    expect(result).toMatchObject({ kind: 'stopped', code: 'budget_month', message: 'The monthly budget is used up.' })
    expect(requests).toHaveLength(2)
  })
})

describe('wrap-up turn', () => {
  it('applies its writes and then finishes without a review', async () => {
    const harness = start({ maxTurns: 2 })
    const { result } = await harness.script([write(1), { calls: [['finish', CHANGED], ...write(2).calls!] }])
    expect(result).toMatchObject({ kind: 'finished', outcome: 'changed', usage: { turns: 2 } })
    expect(harness.workspace.text('start.mdx')).toContain('line 2')
  })

  it('does not accept a page with broken syntax', async () => {
    const harness = start({ maxTurns: 2 })
    const breaking = { calls: [['insert', { path: 'start.mdx', insert_line: 7, insert_text: '<Note>' }]] } as const
    const { result } = await harness.script([breaking, FINISH])
    expect(result).toMatchObject({
      kind: 'stopped',
      code: 'budget_turns',
      checks: [{ name: 'syntax', status: 'failed' }, {}, {}, {}, {}, {}, {}],
    })
  })

  it('stops the run even if the reply contains only text', async () => {
    const { result, requests } = await start({ maxTurns: 1 }).script([{ text: 'Sorry.' }])
    expect(result).toMatchObject({ kind: 'stopped', code: 'budget_turns' })
    expect(requests).toHaveLength(1)
  })
})

describe('context', () => {
  it('adds one note above the soft limit and starts a new conversation above the hard limit', async () => {
    const harness = start({})
    const { result, requests } = await harness.script([
      write(1, { inputTokens: 101_000 }),
      write(2, { inputTokens: 120_000 }),
      write(3, { inputTokens: 181_000 }),
      FINISH,
      FINISH,
    ])
    expect(result).toMatchObject({ kind: 'finished', usage: { turns: 5 } })
    expect(notes(requests[1]!)).toEqual([expect.stringContaining('getting long')])
    expect(notes(requests[2]!)).toEqual([])
    expect(requests[3]!.messages).toHaveLength(1)
    expect(notes(requests[3]!).join('\n')).toContain('+line 3')
  })
})
