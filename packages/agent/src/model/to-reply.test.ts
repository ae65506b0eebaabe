import { describe, expect, it } from 'vitest'
import { collectReply } from './collect-reply.ts'
import { ModelError } from './model-error.ts'
import { toReply } from './to-reply.ts'

const toError = (body: unknown) => new ModelError('model_unavailable', JSON.stringify(body))

type Event = Readonly<Record<string, unknown>> & { readonly type: string }
const START: Event = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 50, output_tokens: 1 } } }
const stop = (stop_reason: string | null = 'tool_use', usage?: object): Event => ({
  type: 'message_delta',
  delta: { stop_reason },
  ...(usage ? { usage } : {}),
})
const block = (index: number | undefined, content_block: object, ...deltas: object[]): Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const text = (index: number | undefined, said: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: said })
const tool = (json: string, start: object = {}) =>
  block(
    0,
    { type: 'tool_use', id: 'toolu_1', name: 'edit', input: {}, ...start },
    { type: 'input_json_delta', partial_json: json },
  )

function read(events: readonly Event[], { usedIds = [] as string[], signsThinking = true } = {}) {
  const collector = collectReply(toError)
  for (const event of events) collector.add({ event: event.type, data: JSON.stringify(event) })
  const draft = collector.end()
  const used = usedIds.map((id) => ({ type: 'tool_use' as const, id, name: 'x', input: {} }))
  const request = { model: 'm', max_tokens: 1, messages: [{ role: 'assistant' as const, content: used }] }
  return { ...toReply(draft, { request, signsThinking }), usage: draft.usage }
}

describe('tool calls', () => {
  it.each(['{"path":"a.md","old_str":"One', '{"path":"a.md","remove_entries":tr', '{"path":"a', '{"a":{"b":1}', '{'])(
    'an input that ends early makes the reply a truncated one: %s',
    (json) => {
      const { content, stopReason } = read([START, ...tool(json), stop('tool_use')])
      expect(stopReason).toBe('max_tokens')
      expect(content).toMatchObject([{ type: 'tool_use', input: {} }])
    },
  )

  it('keeps a stop reason that already prevents the calls', () => {
    expect(read([START, ...tool('{"a'), stop('refusal')]).stopReason).toBe('refusal')
  })

  it.each(['{"path":,}', "{'path':1}", '{"a":"he said "no""}'])('refuses an input that is not JSON: %s', (json) => {
    expect(() => read([START, ...tool(json), stop()])).toThrow('the input of a "edit" call is not valid JSON')
  })

  it.each([['null'], ['[]'], ['"x"'], ['7'], ['']])('an input is always an object: %s', (json) => {
    expect(read([START, ...tool(json), stop()])).toMatchObject({ content: [{ input: {} }], stopReason: 'tool_use' })
  })

  it('uses the input of the first event if no delta follows', () => {
    expect(read([START, ...tool('', { input: { path: 'a.md' } }), stop()]).content).toMatchObject([
      { input: { path: 'a.md' } },
    ])
  })

  it('refuses an input that is nested too deeply', () => {
    const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
    expect(() => read([START, ...tool(deep), stop()])).toThrow('nested too deeply')
    expect(() => read([START, ...tool('', { input: JSON.parse(deep) }), stop()])).toThrow('nested too deeply')
  })

  it.each([[{ name: undefined }], [{ name: '' }], [{ name: null }]])('refuses a call without a name: %j', (start) => {
    expect(() => read([START, ...tool('{}', start), stop()])).toThrow('a tool_use block is invalid (name: ')
  })

  it.each<[ids: unknown[], used: string[], unique: string[]]>([
    [['view:0', 'view:0'], [], ['view:0', 'view:1']],
    [['view:0'], ['view:0', 'view:1'], ['view:2']],
    [['', ''], [], ['call_0', 'call_1']],
    [[undefined, null, 7], ['call_1'], ['call_2', 'call_3', 'call_4']],
    [['toolu_a', 'toolu_b'], ['toolu_c'], ['toolu_a', 'toolu_b']],
  ])('ids are unique in the conversation: %j after %j', (ids, usedIds, unique) => {
    const calls = ids.flatMap((id, index) => block(index, { type: 'tool_use', id, name: 'view', input: {} }))
    const { content } = read([START, ...calls, stop()], { usedIds })
    expect(content.map((one) => Object(one).id)).toEqual(unique)
  })
})

describe('text and thinking', () => {
  it.each([[{ type: 'text', text: null }], [{ type: 'text' }]])('text is a string: %j', (start) => {
    expect(read([START, ...block(0, start), stop('end_turn')]).content).toEqual([{ type: 'text', text: '' }])
  })

  const thinking = [START, ...block(0, { type: 'thinking', thinking: 'Hm.', signature: null }), stop('end_turn')]
  it('thinking without a signature stays without one for a server that does not sign', () => {
    expect(read(thinking, { signsThinking: false }).content).toEqual([{ type: 'thinking', thinking: 'Hm.' }])
    expect(read(thinking).content).toEqual([{ type: 'thinking', thinking: 'Hm.', signature: '' }])
  })

  it('keeps signatures and unknown fields', () => {
    const deltas = [
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'c2ln' },
    ]
    const start = { type: 'thinking', thinking: '', signature: '', extra: 1 }
    expect(read([START, ...block(0, start, ...deltas), stop('end_turn')]).content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln', extra: 1 },
    ])
  })
})

describe('deviations of a stream', () => {
  it.each<[name: string, events: Event[]]>([
    ['a repeated message_start', [START, START, ...text(0, 'Hi.'), stop('end_turn')]],
    ['no usage', [{ type: 'message_start', message: { id: 'm' } }, ...text(0, 'Hi.'), stop('end_turn')]],
    ['blocks without index', [START, ...text(undefined, 'Hi.'), stop('end_turn')]],
    ['indices that start at 1', [START, ...text(1, 'Hi.'), stop('end_turn')]],
    ['an unknown event', [START, { type: 'news' }, ...text(0, 'Hi.'), stop('end_turn')]],
  ])('accepts %s', (_, events) => {
    expect(read(events)).toMatchObject({ content: [{ type: 'text', text: 'Hi.' }], stopReason: 'end_turn' })
  })

  const other = { type: 'message_start', message: { id: 'other' } }
  it.each<[reason: string, events: Event[]]>([
    ['a content block starts before the message', [...text(0, 'Hi.'), stop()]],
    ['a second message starts', [START, ...text(0, 'Hi'), other, ...text(0, 'Hi.'), stop('end_turn')]],
    ['a second message starts', [START, ...text(0, 'Hi'), START, ...text(0, 'Hi.'), stop('end_turn')]],
    ['content block 0 starts twice', [START, ...text(0, 'Hi').slice(0, 2), ...text(0, 'Hi.'), stop('end_turn')]],
    ['has not started', [START, ...text(0, 'Hi').slice(0, 1), ...text(3, 'Hi.').slice(1), stop('end_turn')]],
    [
      'type tool_use contains a text_delta',
      [START, ...block(0, { type: 'tool_use' }, { type: 'text_delta', text: 'x' })],
    ],
    ['invalid (content_block.type: ', [START, ...block(0, {}), stop()]],
    ['invalid (text: ', [START, ...block(0, { type: 'text' }, { type: 'text_delta', text: 7 }), stop()]],
    ['no message of the Messages API', [{ type: 'news' }]],
    ['The stream ended', [START, ...text(0, 'Hi.')]],
  ])('refuses a reply in which %s', (reason, events) => {
    expect(() => read(events)).toThrow(reason)
  })

  it('counts both messages of a spliced stream', () => {
    const collector = collectReply(toError)
    const second = { type: 'message_start', message: { id: 'other', usage: { input_tokens: 60 } } }
    for (const event of [START, ...text(0, 'x'.repeat(40)), second, stop('end_turn', { output_tokens: 5 })])
      collector.add({ event: null, data: JSON.stringify(event) })
    expect(() => collector.end()).toThrow('a second message')
    expect(collector.usage()).toMatchObject({ inputTokens: 110, outputTokens: 15 })
  })
})

describe('usage', () => {
  const used = (input_tokens: number, delta: object) => {
    const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens } } }
    return read([start, ...text(0, 'Hi.'), stop('end_turn', { output_tokens: 9, ...delta })]).usage
  }

  it('counts cached tokens once if the input contains them', () => {
    expect(used(3602, { cache_read_input_tokens: 3604 })).toMatchObject({ inputTokens: 0, cacheReadTokens: 3604 })
  })

  it('keeps a separate count of cached tokens', () => {
    expect(used(50, { cache_read_input_tokens: 3604 })).toMatchObject({ inputTokens: 50, cacheReadTokens: 3604 })
    expect(used(3602, { cache_read_input_tokens: 3000 })).toMatchObject({ inputTokens: 3602, cacheReadTokens: 3000 })
    expect(used(3602, { input_tokens: 9, cache_read_input_tokens: 3604 })).toMatchObject({ inputTokens: 9 })
  })

  it('estimates output that the server does not report', () => {
    expect(read([START, ...text(0, 'x'.repeat(80)), stop('end_turn')]).usage.outputTokens).toBe(20)
  })
})
