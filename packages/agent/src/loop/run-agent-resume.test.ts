import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../model/model-call.ts'
import { CHANGED, type ScriptedTurn, scriptModel } from '../test-support/script-model.ts'
import { type AgentHarness, startAgent } from '../test-support/start-agent.ts'
import type { AgentResult } from './agent-input.ts'

const STEPS: ScriptedTurn[] = [
  {
    calls: [
      ['view', { path: 'start.mdx' }],
      ['search', { query: 'tool' }],
    ],
  },
  {
    calls: [
      ['edit', { path: 'start.mdx', old_str: 'Install the tool.', new_str: 'Get it.' }],
      ['insert', { path: 'start.mdx', insert_line: 7, insert_text: 'More.' }],
    ],
  },
  { text: 'Nearly done.' },
  {
    calls: [
      ['create', { path: 'new.mdx', file_text: '# New\n' }],
      ['move', { path: 'next.mdx', new_path: 'after.mdx' }],
    ],
  },
  {
    calls: [
      ['edit', { path: 'docs.json', old_str: '"next"', new_str: '"after", "new"' }],
      ['delete', { path: 'none.mdx' }],
    ],
  },
  { calls: [['finish', CHANGED]] },
  { calls: [['finish', CHANGED]] },
]

/** Selects the next step by the number of replies in the request. Stateless, like a real model. */
const stateless = (request: ModelRequest): ScriptedTurn =>
  STEPS[request.messages.filter(({ role }) => role === 'assistant').length]!

async function snapshot(harness: AgentHarness, result: AgentResult) {
  const files = (await harness.workspace.changes()).map(({ path, kind, after }) => [
    path,
    kind,
    after === null ? null : Buffer.from(after).toString(),
  ])
  const results = harness.transcript.rows.flatMap(({ row }) => (row.role === 'user' ? [row.content] : []))
  return { files, results, result }
}

const crash = new Error('killed')

/**
 * Runs the agent until it finishes. After each crash, restarts it from the workspace stored by the
 * last append.
 */
async function runToEnd(harness: AgentHarness) {
  const requests: ModelRequest[] = []
  for (let life = 0; life < 40; life += 1) {
    const model = scriptModel(stateless)
    try {
      const result = await harness.run(async (request, control) => {
        requests.push(structuredClone(request))
        return await model.callModel(request, control)
      })
      return { result, requests, lives: life + 1 }
    } catch (error) {
      if (error !== crash) throw error
      harness.transcript.recover()
    }
  }
  throw new Error('the run did not finish')
}

/**
 * Finds mistakes that the API rejects: results without calls, calls without results, duplicate IDs.
 */
function findRejections(request: ModelRequest): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const [index, { role, content }] of request.messages.entries()) {
    const blocks = content as Anthropic.ContentBlockParam[]
    const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    for (const id of calls) if (seen.size === seen.add(id).size) found.push(`id ${id} twice`)
    const next = (request.messages[index + 1]?.content ?? []) as Anthropic.ContentBlockParam[]
    const answers = next.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    if (role === 'assistant' && JSON.stringify(answers) !== JSON.stringify(calls))
      found.push(`message ${index} unanswered`)
    if (role === request.messages[index + 1]?.role) found.push(`message ${index} repeats its role`)
  }
  return found
}

describe('resume', async () => {
  const quiet = startAgent()
  const expected = await runToEnd(quiet)
  const whole = await snapshot(quiet, expected.result)
  const appends = quiet.transcript.rows.length - 1

  it('finishes without a crash', () => {
    expect(expected.result).toMatchObject({ kind: 'finished', outcome: 'changed', usage: { turns: 7 } })
    expect(appends).toBe(15)
  })

  // After an append, the stored state is that before the next one.
  const points = Array.from({ length: 15 }, (_, n) => ['before', n + 1] as const)
  it.each([...points, ['after', 15] as const])(
    'produces the same files and results when killed %s append %i',
    async (when, append) => {
      const harness = startAgent()
      let killed = false
      harness.transcript[when === 'before' ? 'beforeAppend' : 'afterAppend'] = (current) => {
        if (killed || current !== append) return
        killed = true
        throw crash
      }
      const { result, requests, lives } = await runToEnd(harness)
      expect(lives).toBe(2)
      expect(await snapshot(harness, result)).toEqual(whole)
      expect(requests.flatMap(findRejections)).toEqual([])
    },
  )

  it('produces the same files and results when killed at every append', async () => {
    const harness = startAgent()
    const done = new Set<string>()
    const killOnce = (when: string) => () => {
      const key = `${when} ${harness.transcript.rows.length}`
      if (done.has(key)) return
      done.add(key)
      throw crash
    }
    harness.transcript.beforeAppend = killOnce('before')
    harness.transcript.afterAppend = killOnce('after')
    const { result, lives, requests } = await runToEnd(harness)
    expect(lives).toBe(31)
    expect(await snapshot(harness, result)).toEqual(whole)
    expect(requests.flatMap(findRejections)).toEqual([])
  })

  it('sends the system prompt and tools as stored, not as this version builds them', async () => {
    const harness = startAgent()
    harness.transcript.afterAppend = (append) => {
      if (append === 4) throw crash
    }
    await expect(harness.run(scriptModel(stateless).callModel)).rejects.toBe(crash)
    const header = harness.transcript.rows[0]!.row
    if (header.role !== 'header') throw new Error('the first row is not a header')
    header.content.system[0]!.text = 'As it was then.'
    harness.transcript.afterAppend = null
    harness.transcript.recover()
    const model = scriptModel(stateless)
    await harness.run(model.callModel)
    for (const { system } of model.requests) expect(system).toMatchObject([{ text: 'As it was then.' }])
  })

  it('returns the same result for a completed run without calling the model', async () => {
    const model = scriptModel([])
    const again = await quiet.run(model.callModel)
    expect(again).toEqual(expected.result)
    expect(model.requests).toEqual([])
  })

  it.each(['harness', 'model'])('continues in a new conversation when the %s has changed', async (what) => {
    const harness = startAgent()
    harness.transcript.afterAppend = (append) => {
      if (append === 4) throw crash
    }
    await expect(harness.run(scriptModel(stateless).callModel)).rejects.toBe(crash)
    const header = harness.transcript.rows[0]!.row
    if (header.role !== 'header') throw new Error('the first row is not a header')
    Object.assign(header.content, what === 'harness' ? { harnessVersion: '0' } : { model: 'claude-opus-5-5' })
    harness.transcript.afterAppend = null
    harness.transcript.recover()
    const finish = {
      calls: [
        ['create', { path: 'x.md', file_text: 'x\n' }],
        ['finish', CHANGED],
      ],
    } as const
    const { result, requests } = await harness.script([finish, { calls: [['finish', CHANGED]] }])
    expect(result).toMatchObject({ kind: 'finished' })
    expect(requests[0]!.messages).toHaveLength(1)
    expect(harness.transcript.rows.map(({ conversation }) => conversation)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
  })
})
