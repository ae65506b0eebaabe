import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../model/model-call.ts'
import { ModelError, type ModelErrorCode } from '../model/model-error.ts'
import { CHANGED, scriptModel } from '../test-support/script-model.ts'
import { STARTED, startAgent } from '../test-support/start-agent.ts'

const EDIT = ['edit', { path: 'start.mdx', old_str: 'Install', new_str: 'Get' }] as const
const FINISH = { calls: [['finish', CHANGED]] } as const
const lastBlocks = (request: ModelRequest) => request.messages.at(-1)!.content as Anthropic.ContentBlockParam[]
const lastText = (request: ModelRequest) => JSON.stringify(lastBlocks(request))

describe('stop reasons', () => {
  it.each(['end_turn', 'stop_sequence'])(
    '%s without a call: reminds the model three times, then stops with no_finish',
    async (stopReason) => {
      const harness = startAgent()
      const { result, requests } = await harness.script(
        Array.from({ length: 9 }, () => ({ text: 'I am done.', stopReason })),
      )
      expect(result).toMatchObject({ kind: 'stopped', code: 'no_finish', usage: { turns: 4 } })
      expect(requests).toHaveLength(4)
      expect(lastText(requests[3]!)).toContain('replies without tool calls are not read')
    },
  )

  it('counts only consecutive reminders', async () => {
    const idle = { text: 'Hm.' }
    const harness = startAgent()
    const { result } = await harness.script([idle, idle, idle, { calls: [EDIT] }, idle, idle, idle, FINISH, FINISH])
    expect(result.kind).toBe('finished')
  })

  it('max_tokens: runs no calls, returns an error for each and doubles the output limit once', async () => {
    const harness = startAgent()
    const cut = { calls: [EDIT], stopReason: 'max_tokens' } as const
    const { result, requests } = await harness.script([
      cut,
      cut,
      { text: 'Long', stopReason: 'max_tokens' },
      { calls: [EDIT] },
      FINISH,
      FINISH,
    ])
    expect(result.kind).toBe('finished')
    expect(requests.map((request) => request.max_tokens)).toEqual([16_000, 32_000, 32_000, 32_000, 32_000, 32_000])
    expect(lastBlocks(requests[1]!)).toMatchObject([
      { type: 'tool_result', is_error: true, content: expect.stringContaining('cut off') },
      { type: 'text', text: expect.stringContaining('too long') },
    ])
    // The edit in the fourth turn succeeds only if no truncated call has run.
    expect(harness.progress.filter((step) => step.type === 'tool').map((step) => step.isError)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('does not send back blank text or unsigned thinking from a truncated reply', async () => {
    const content = [
      { type: 'thinking', thinking: 'x', signature: '' },
      { type: 'text', text: ' ', citations: null },
    ] as Anthropic.ContentBlock[]
    const harness = startAgent()
    const { requests, result } = await harness.script([
      { content, stopReason: 'max_tokens' },
      { calls: [EDIT] },
      FINISH,
      FINISH,
    ])
    expect(result.kind).toBe('finished')
    expect(requests[1]!.messages).toHaveLength(1)
    expect(requests[2]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('sends back the text of a truncated reply without its unsigned thinking', async () => {
    const content = [
      { type: 'thinking', thinking: 'x', signature: '' },
      { type: 'text', text: 'Long', citations: null },
    ] as Anthropic.ContentBlock[]
    const { requests } = await startAgent().script([
      { content, stopReason: 'max_tokens' },
      { calls: [EDIT] },
      FINISH,
      FINISH,
    ])
    expect(requests[1]!.messages[1]!.content).toEqual([{ type: 'text', text: 'Long', citations: null }])
  })

  it('pause_turn: asks the model to continue', async () => {
    const harness = startAgent()
    const { requests } = await harness.script([
      { text: 'Wait.', stopReason: 'pause_turn' },
      { calls: [EDIT] },
      FINISH,
      FINISH,
    ])
    expect(lastText(requests[1]!)).toContain('continue')
  })

  it('refusal: runs no calls', async () => {
    const harness = startAgent()
    const { result } = await harness.script([{ calls: [EDIT], stopReason: 'refusal' }])
    expect(result).toMatchObject({ kind: 'stopped', code: 'model_refused', usage: { turns: 1 } })
    expect(await harness.workspace.changes()).toEqual([])
    expect(harness.progress.some((step) => step.type === 'tool')).toBe(false)
  })

  it('model_context_window_exceeded: starts a new conversation', async () => {
    const harness = startAgent()
    const { result, requests } = await harness.script([
      { calls: [EDIT] },
      { calls: [EDIT], stopReason: 'model_context_window_exceeded' },
      FINISH,
      FINISH,
    ])
    expect(result.kind).toBe('finished')
    expect(requests[2]!.messages).toHaveLength(1)
    expect(harness.progress.filter((step) => step.type === 'conversation')).toHaveLength(2)
  })

  it.each(['brand_new_reason', null])('%s: stops with model_bad_reply', async (stopReason) => {
    const harness = startAgent()
    const { result } = await harness.script([{ calls: [EDIT], stopReason }])
    // Without a change, no check has run.
    expect(result).toMatchObject({ kind: 'stopped', code: 'model_bad_reply', checks: [] })
    expect(await harness.workspace.changes()).toEqual([])
  })
})

describe('failed calls', () => {
  const failing = (error: ModelError) => startAgent().script([{ calls: [EDIT] }, { throws: error }])

  it.each<[code: ModelErrorCode, stop: string]>([
    ['model_bad_request', 'model_bad_request'],
    ['model_unauthorized', 'model_unauthorized'],
    ['model_billing', 'model_billing'],
    ['model_not_found', 'model_not_found'],
    ['model_rate_limited', 'model_unavailable'],
    ['model_unavailable', 'model_unavailable'],
    ['model_stalled', 'model_unavailable'],
    ['model_bad_reply', 'model_bad_reply'],
    ['model_deadline', 'budget_time'],
  ])('%s: stops with %s and reports usage and checks', async (code, stop) => {
    const { result } = await failing(new ModelError(code, 'Why.', { retryable: code === 'model_unavailable' }))
    expect(result).toMatchObject({
      kind: 'stopped',
      code: stop,
      usage: { turns: 1 },
      checks: [{}, {}, {}, {}, {}, {}, {}],
    })
  })

  it('defers the run when the API requests a wait of any length, and stops it otherwise', async () => {
    const wait = (retryAfterMs: number) =>
      new ModelError('model_rate_limited', 'Slow down.', { retryable: true, retryAfterMs })
    const { result } = await failing(wait(3_600_000))
    expect(result).toMatchObject({
      kind: 'deferred',
      reason: 'Slow down.',
      usage: { turns: 1 },
      retryAt: new Date(STARTED.getTime() + 3_600_000),
    })
    expect((await failing(wait(20_000))).result).toMatchObject({ kind: 'deferred' })
    expect((await failing(wait(0))).result).toMatchObject({ kind: 'stopped', code: 'model_unavailable' })
  })

  it('continues a deferred run in the same conversation', async () => {
    const harness = startAgent()
    const error = new ModelError('model_rate_limited', 'Slow down.', { retryable: true, retryAfterMs: 90_000 })
    await harness.script([{ calls: [EDIT] }, { throws: error }])
    const { result, requests } = await harness.script([FINISH, FINISH])
    expect(result).toMatchObject({ kind: 'finished', usage: { turns: 3 } })
    expect(requests[0]!.messages).toHaveLength(3)
  })

  it.each<ModelErrorCode>(['model_context_exceeded', 'model_prefix_invalid'])(
    '%s: starts a new conversation with the edits so far',
    async (code) => {
      const harness = startAgent()
      const { result, requests } = await harness.script([
        { calls: [['view', { path: 'next.mdx' }], EDIT] },
        { throws: new ModelError(code, 'Too much.') },
        FINISH,
        FINISH,
      ])
      expect(result).toMatchObject({ kind: 'finished', outcome: 'changed', usage: { turns: 3 } })
      const first = lastBlocks(requests[2]!).map((block) => (block.type === 'text' ? block.text : ''))
      expect(first.at(-1)).toBe('Correct the start page.')
      expect(first.join('\n')).toContain('-Install the tool.\n+Get the tool.')
      expect(first.join('\n')).toContain('Files you have already read: next.mdx')
    },
  )

  it('does not start a new conversation if the first message is too long', async () => {
    const harness = startAgent()
    const { result } = await harness.script([{ throws: new ModelError('model_context_exceeded', 'Too long.') }])
    expect(result).toMatchObject({ kind: 'stopped', code: 'model_bad_request' })
    expect(Object(result).message).toMatch(/^Too long\. .*MODEL_CONTEXT_TOKENS/)
  })

  it('starts at most two new conversations', async () => {
    const harness = startAgent()
    const full = { throws: new ModelError('model_context_exceeded', 'Too long.') }
    const readTurn = { calls: [['view', { path: 'next.mdx' }]] } as const
    const { result } = await harness.script([readTurn, full, readTurn, full, readTurn, full])
    expect(result).toMatchObject({ kind: 'stopped', code: 'context_exhausted' })
  })

  it('rethrows errors that do not come from the API', async () => {
    await expect(startAgent().script([{ throws: new RangeError('bug') }])).rejects.toThrow('bug')
  })
})

describe('abort', () => {
  it('throws the reason and stores no further rows', async () => {
    const harness = startAgent()
    const controller = new AbortController()
    const reason = new Error('lease lost')
    harness.transcript.afterAppend = (append) => {
      if (append === 2) controller.abort(reason)
    }
    await expect(harness.script([{ calls: [EDIT] }, FINISH], controller.signal)).rejects.toBe(reason)
    expect(harness.transcript.rows).toHaveLength(3)
    expect(await harness.workspace.changes()).toEqual([])
  })

  it('does not store a reply that arrives after the abort', async () => {
    const harness = startAgent()
    const controller = new AbortController()
    const reason = new Error('lease lost')
    const model = scriptModel([{ calls: [EDIT] }])
    const late: typeof model.callModel = async (request, control) => {
      const reply = await model.callModel(request, control)
      controller.abort(reason)
      return reply
    }
    await expect(harness.run(late, controller.signal)).rejects.toBe(reason)
    expect(harness.transcript.rows).toHaveLength(2)
  })

  it('stops the run if the worker no longer owns it', async () => {
    const harness = startAgent()
    harness.transcript.beforeAppend = (append) => {
      if (append === 3) throw new Error('not the owner')
    }
    await expect(harness.script([{ calls: [EDIT] }, FINISH])).rejects.toThrow('not the owner')
  })
})

describe('repeated calls', () => {
  const readTurn = { calls: [['search', { query: 'nowhere' }]] } as const
  it('adds a note after three identical calls and stops the run after five', async () => {
    const harness = startAgent()
    const { result, requests } = await harness.script(Array.from({ length: 9 }, () => readTurn))
    expect(result).toMatchObject({ kind: 'stopped', code: 'stuck', usage: { turns: 5 } })
    expect(lastText(requests[2]!)).not.toContain('three times')
    expect(lastText(requests[3]!)).toContain('same result three times')
    expect(lastText(requests[4]!)).not.toContain('three times')
  })
  it('counts alternating calls and resets the count after a write', async () => {
    const other = { calls: [['list_files', {}]] } as const
    const alternating = await startAgent().script([
      readTurn,
      other,
      readTurn,
      other,
      readTurn,
      other,
      readTurn,
      other,
      readTurn,
      other,
    ])
    expect(alternating.result).toMatchObject({ code: 'stuck', usage: { turns: 9 } })
    const write = (n: number) =>
      ({ calls: [['insert', { path: 'start.mdx', insert_line: 7, insert_text: `${n}` }]] }) as const
    const writing = await startAgent().script([
      readTurn,
      readTurn,
      write(1),
      readTurn,
      readTurn,
      write(2),
      readTurn,
      readTurn,
      FINISH,
      FINISH,
    ])
    expect(writing.result.kind).toBe('finished')
  })
})
