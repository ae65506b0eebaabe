import { expect, test } from 'vitest'
import type { ModelRequest } from '../model/model-call.ts'
import { CHANGED } from '../test-support/script-model.ts'
import { startAgent } from '../test-support/start-agent.ts'
import { buildFirstMessage, quoteMessage } from './build-first-message.ts'
import { listOmissions, shortenRequests } from './shorten-requests.ts'

/** Half of the limit, 50,000 tokens, is available: 150,000 ASCII characters. */
const LIMIT = { softContextTokens: 100_000 }
const one = (text: string) => shortenRequests([text], LIMIT)[0] ?? ''
const MARK = /\n\[Note from the service: (\d+) of the (\d+) characters of this text are omitted here[^\n]*\]\n/

test('a text that fits is not changed', () => {
  for (const text of ['', ' ', 'x'.repeat(150_000), '文'.repeat(50_000)]) expect(one(text) === text).toBe(true)
})

test.each([
  ['ASCII text', 'x', 150_000],
  ['Chinese text', '文', 50_000],
  ['text with emoji', 'a🙂', 64_285],
])('of %s that does not fit, the beginning and the end are kept, and a line counts the rest', (_name, unit, kept) => {
  const text = `START ${unit.repeat(400_000)} END`
  const short = one(text)
  const [mark = '', omitted, length] = MARK.exec(short) ?? []
  const [head = '', tail = ''] = short.split(mark)
  expect(short).toMatch(/^START [\s\S]+ END$/)
  expect(short.isWellFormed()).toBe(true)
  expect([Number(length), head.length + tail.length + Number(omitted)]).toEqual([text.length, text.length])
  expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true])
  expect(Math.abs(head.length + tail.length - kept)).toBeLessThan(20)
})

test('several texts share the limit, and short ones stay whole', () => {
  const [short, first = '', second = ''] = shortenRequests(['short', 'a'.repeat(1_000_000), 'b'.repeat(900_000)], LIMIT)
  expect(short).toBe('short')
  for (const text of [first, second]) expect(text.replace(MARK, '').length).toBeGreaterThan(74_000)
  expect((first + second).replaceAll(new RegExp(MARK, 'g'), '').length).toBeLessThanOrEqual(150_000)
})

test('lists the shortened texts of the caller, but no text that only resembles one', () => {
  const first = (prompt: string, messages: string[] = [], extraInstructions = '') =>
    listOmissions(
      buildFirstMessage({
        prompt,
        messages,
        extraInstructions,
        sites: '',
        instructions: [],
        continuation: null,
        repository: { name: 'acme/docs', baseBranch: 'main' },
      }),
    )
  const long = one('x'.repeat(200_000))
  expect(first('x')).toEqual([])
  expect(first(long)).toEqual([{ omitted: 50_000, characters: 200_000 }])
  expect(first('x', [long, 'y'])).toEqual([{ omitted: 50_000, characters: 200_000 }])
  expect(first('x', [], long)).toEqual([])
  expect(listOmissions(quoteMessage(long))).toEqual([{ omitted: 50_000, characters: 200_000 }])
  expect(listOmissions([{ type: 'text', text: long }])).toEqual([])
})

const FINISH = { calls: [['finish', CHANGED]] } as const
const EDIT = { calls: [['edit', { path: 'start.mdx', old_str: 'Install', new_str: 'Get' }]] } as const
const toText = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)

test('the model receives the beginning and the end of a long prompt and of long messages, also in a new conversation', async () => {
  const prompt = `PROMPT-START ${'word '.repeat(200_000)} PROMPT-END`
  const message = `MESSAGE-START ${'more '.repeat(200_000)} MESSAGE-END`
  const harness = startAgent({ input: { prompt } })
  const messages = [{ id: 'msg_1', prompt: message }]
  harness.transcript.listMessages = async () => messages.splice(0)
  // The size of the second prompt makes a new conversation take over.
  const { requests } = await harness.script([{ ...EDIT, usage: { inputTokens: 200_000 } }, FINISH, FINISH])
  for (const request of requests) {
    const text = toText(request)
    for (const mark of ['PROMPT-START', 'PROMPT-END', 'MESSAGE-START', 'MESSAGE-END']) expect(text).toContain(mark)
    expect(text).toMatch(/\d+ of the \d+ characters of this text are omitted here/)
  }
  expect(requests.map((request) => toText(request).length < 320_000)).toEqual([true, true, true])
  expect(requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3])
})
