import { quoteMessage } from '@corrigenda/agent/internal/loop/build-first-message'
import { shortenRequests } from '@corrigenda/agent/internal/loop/shorten-requests'
import type { StoredRow } from '@corrigenda/agent/model'
import { expect, test } from 'vitest'
import { buildRunEvents } from './run-events.ts'

const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }

/** Returns the data of the events of a row that have this type. */
async function listData(type: string, row: object, secrets: string[] = []) {
  const listEvents = buildRunEvents([], async (texts) => texts, secrets)
  const events = await listEvents([{ conversation: 0, seq: 0, row }] as unknown as StoredRow[], {})
  return events.flatMap((event) => (event.type === type ? [event.data] : []))
}

test('records a tool call with its subject and the target of a move, without secrets', async () => {
  const secret = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz'
  const calls = [
    ['move', { path: 'a.md', new_path: 'b/a.md' }],
    ['move', { path: `${secret}.md`, new_path: `b/${secret}.md` }],
    ['view', { path: 'a.md' }],
    ['view', { path: 'src/a.ts', source: 'api' }],
    ['source_changes', { source: 'api' }],
    ['check_docs', {}],
    ['rename', { path: 'a.md' }],
  ] as const
  const content = calls.map(([name, input], n) => ({ type: 'tool_use', id: `toolu_${n}`, name, input }))
  const row = { role: 'assistant', content, stopReason: 'tool_use', usage: TOKENS, requestId: null }
  const [first, hidden, ...others] = await listData('tool.called', row, [secret])
  expect(first).toEqual({ tool: 'move', subject: 'a.md', target: 'b/a.md' })
  expect(hidden).toMatchObject({ tool: 'move', target: expect.any(String) })
  expect(JSON.stringify(hidden)).not.toContain(secret)
  expect(others).toEqual([
    { tool: 'view', subject: 'a.md' },
    { tool: 'view', subject: 'src/a.ts', source: 'api' },
    { tool: 'source_changes', subject: 'api', source: 'api' },
    { tool: 'check_docs', subject: null },
    { tool: 'rename', subject: null },
  ])
})

test('records how much of a long prompt and of a long message the model did not receive', async () => {
  const texts = shortenRequests(['x'.repeat(400), 'short', 'y'.repeat(300)], { softContextTokens: 100 })
  const content = texts.flatMap(quoteMessage)
  const omissions = await listData('prompt.shortened', { role: 'user', content })
  expect(omissions).toMatchObject([{ characters: 400 }, { characters: 300 }])
  for (const data of omissions) expect(Object(data).omitted).toBeGreaterThan(200)
})
