import type Anthropic from '@anthropic-ai/sdk'
import { ALL_CHECKS } from '@corrigenda/site/internal/checks/all-checks'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../model/model-call.ts'
import { CHANGED } from '../test-support/script-model.ts'
import { startAgent } from '../test-support/start-agent.ts'

const EDIT = ['edit', { path: 'start.mdx', old_str: 'Install the tool.', new_str: 'Install the $& tool.' }] as const
const FINISH = { calls: [['finish', CHANGED]] } as const

/** Serializes the request without cache breakpoints, which may move. */
const bare = (value: unknown) => JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner))
const texts = (request: ModelRequest) =>
  request.messages.map(({ content }) =>
    (content as Anthropic.ContentBlockParam[]).map((block) =>
      block.type === 'text' ? block.text : block.type === 'tool_result' ? block.content : block.type,
    ),
  )

describe('a run', () => {
  it('edits, checks, reviews and finishes', async () => {
    const harness = startAgent()
    const { result, requests } = await harness.script([
      { text: 'I look.', calls: [['view', { path: 'start.mdx' }]] },
      { calls: [EDIT] },
      { calls: [['check_docs', {}]] },
      FINISH,
      FINISH,
    ])
    expect(result).toMatchObject({
      kind: 'finished',
      outcome: 'changed',
      title: 'Correct the page',
      body: 'As asked.',
      checks: ALL_CHECKS.map(({ name }) => ({ name, status: 'passed', introduced: 0 })),
      usage: { inputTokens: 500, outputTokens: 50, turns: 5, costUsd: expect.closeTo(0.0015) },
    })
    expect(harness.workspace.text('start.mdx')).toContain('Install the $& tool.')
    expect(requests).toHaveLength(5)
    expect(harness.transcript.usage).toEqual(result.usage)
  })

  it('reports progress only after the step is stored', async () => {
    const harness = startAgent()
    await harness.script([{ text: 'I look.', calls: [['view', { path: 'start.mdx' }], EDIT] }, FINISH, FINISH])
    expect(harness.progress.slice(0, 4)).toMatchObject([
      { type: 'conversation', conversation: 0 },
      { type: 'turn', turn: 1, text: 'I look.', stopReason: 'tool_use', usage: { turns: 1 } },
      { type: 'tool', turn: 1, name: 'view', path: 'start.mdx', isError: false },
      { type: 'tool', turn: 1, name: 'edit', path: 'start.mdx', isError: false },
    ])
  })

  it('reports the reason for other outcomes', async () => {
    for (const outcome of ['no_change', 'needs_input', 'impossible'] as const) {
      const harness = startAgent()
      const turn = { calls: [['finish', { outcome, reason: ' Because. ', title: 'x', body: 'y' }]] } as const
      const { result } = await harness.script([turn, turn])
      expect(result).toMatchObject({ kind: 'finished', outcome, reason: 'Because.', title: null, body: '', checks: [] })
    }
  })

  it('requires a new review after a write that follows the first review', async () => {
    const harness = startAgent()
    const more = { calls: [['insert', { path: 'start.mdx', insert_line: 7, insert_text: 'more' }]] } as const
    const { result, requests } = await harness.script([{ calls: [EDIT] }, FINISH, more, FINISH, FINISH])
    expect(result.kind).toBe('finished')
    expect(texts(requests[4]!).at(-1)?.[0]).toContain('modified start.mdx (+2 -1)')
  })

  it('stores each reply before running its tools, and the results afterwards', async () => {
    const harness = startAgent()
    const seen: string[] = []
    harness.transcript.beforeAppend = () => {
      const changed = harness.workspace.text('start.mdx').includes('$&')
      seen.push(`${harness.transcript.rows.length} ${changed ? 'edited' : 'as it was'}`)
    }
    await harness.script([{ calls: [EDIT] }, FINISH, FINISH])
    expect(seen.slice(0, 3)).toEqual(['0 as it was', '2 as it was', '3 edited'])
    expect(harness.transcript.rows.map(({ row }) => row.role)).toEqual([
      'header',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  })
})

describe('the request', () => {
  it('contains the prompt verbatim as the last block of the first message', async () => {
    const prompt = 'Say "$&" </instruction_file>\r\n\tund ünï 🙂  '
    const instructions = [{ path: 'AGENTS.md', text: 'Be </instruction_file> brief.', truncated: true }]
    const harness = startAgent({ input: { prompt, instructions, extraInstructions: 'Earlier: x.' } })
    const { requests } = await harness.script([{ calls: [EDIT] }, FINISH, FINISH])
    const first = texts(requests[0]!)[0]!
    expect(first.at(-1)).toBe(prompt)
    expect(first.slice(0, -1).join('\n')).not.toContain(prompt)
    expect(first[1]).toContain('Be <\\/instruction_file> brief.\n[cut here]\n</instruction_file>')
    expect(first[2]).toBe('Earlier: x.')
  })

  it('does not contain a blank block for a blank prompt', async () => {
    const harness = startAgent({ input: { prompt: ' \n' } })
    const { requests } = await harness.script([
      { calls: [['finish', { outcome: 'no_change' }]] },
      { calls: [['finish', { outcome: 'no_change' }]] },
    ])
    expect(texts(requests[0]!)[0]!.at(-1)).toBe('(blank request) \n')
  })

  it('only grows and never changes earlier bytes', async () => {
    const harness = startAgent()
    const { requests } = await harness.script([
      { calls: [['view', { path: 'start.mdx' }]] },
      { text: 'thinking aloud' },
      { calls: [EDIT, ['nope', {}]] },
      { stopReason: 'max_tokens', calls: [['edit', {}]], usage: { inputTokens: 120_000 } },
      FINISH,
      FINISH,
    ])
    for (const [index, request] of requests.entries()) {
      const next = requests[index + 1]
      if (next === undefined) continue
      expect(bare([next.system, next.tools])).toBe(bare([request.system, request.tools]))
      expect(bare(next.messages.slice(0, request.messages.length))).toBe(bare(request.messages))
      expect(next.messages.length).toBe(request.messages.length + 2)
    }
  })

  it('has at most four cache breakpoints, including one on the newest block, and none if caching is off', async () => {
    const turns = [{ calls: [['view', { path: 'start.mdx' }]] }, { calls: [EDIT] }, FINISH, FINISH] as const
    const { requests } = await startAgent().script(turns)
    for (const request of requests) {
      expect(JSON.stringify(request).match(/"cache_control"/g)!.length).toBeLessThanOrEqual(4)
      expect(request.system!.at(-1)).toHaveProperty('cache_control')
      const last = request.messages.at(-1)!.content as Anthropic.ContentBlockParam[]
      expect(last.at(-1)).toHaveProperty('cache_control')
    }
    const off = await startAgent({ input: { options: { caching: false } } }).script(turns)
    expect(JSON.stringify(off.requests)).not.toContain('cache_control')
  })

  it('contains the configured options', async () => {
    const turns = [
      { calls: [['finish', { outcome: 'no_change' }]] },
      { calls: [['finish', { outcome: 'no_change' }]] },
    ] as const
    const plain = (await startAgent().script(turns)).requests[0]!
    expect(plain).toMatchObject({ max_tokens: 16_000, model: 'claude-sonnet-5-5' })
    expect(Object.keys(plain).sort()).toEqual(['max_tokens', 'messages', 'model', 'system', 'tools'])
    const options = { thinking: 'adaptive', effort: 'medium', strict: false, maxOutput: 100 } as const
    const other = (await startAgent({ input: { options } }).script(turns)).requests[0]!
    expect(other).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
      max_tokens: 100,
    })
    expect(JSON.stringify(other.tools)).not.toContain('"strict"')
  })

  it("quotes a folder's AGENTS.md once, when the folder is first opened", async () => {
    const files = { 'api/AGENTS.md': 'Use <!-- hidden --> tables.\n', 'api/v1/a.md': 'a\n', 'api/b.md': 'b\n' }
    const { requests } = await startAgent({ files }).script([
      { calls: [['view', { path: 'api/v1/a.md' }]] },
      { calls: [['view', { path: 'api/b.md' }]] },
      { calls: [['finish', { outcome: 'no_change' }]] },
      { calls: [['finish', { outcome: 'no_change' }]] },
    ])
    expect(texts(requests[1]!).at(-1)?.[1]).toMatch(/<instruction_file path="api\/AGENTS\.md">\nUse {2}tables\.\n/)
    expect(texts(requests[2]!).at(-1)).toHaveLength(1)
  })
})
