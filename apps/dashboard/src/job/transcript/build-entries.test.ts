import type { TranscriptBlock, TranscriptPage } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { buildEntries, matchesEntry } from './build-entries.ts'

const AT = '2026-01-01T00:00:00.000Z'
const run = (seq: number, prompt: string) => ({
  id: `run_${seq}`,
  seq,
  prompt,
  createdAt: AT,
  startedAt: AT,
  endedAt: null,
  transcriptRemovedAt: null,
  kind: seq === 1 ? ('create' as const) : ('message' as const),
})
const row = (runId: string, seq: number, role: 'user' | 'assistant' | 'header', content: TranscriptBlock[]) => ({
  runId,
  seq,
  role,
  content,
  conversation: 0,
  stopReason: null,
  usage: null,
  createdAt: AT,
})
const say = (text: string): TranscriptBlock => ({ type: 'text', text, cut: 0 })
const use = (id: string, name = 'view'): TranscriptBlock => ({
  type: 'tool_use',
  id,
  name,
  input: { path: `${id}.md` },
  cut: 0,
})
const toolResult = (toolUseId: string, text: string): TranscriptBlock => ({
  type: 'tool_result',
  toolUseId,
  isError: false,
  text,
  cut: 0,
})

test('attaches tool results to their calls and places each prompt before its run', () => {
  const page: Pick<TranscriptPage, 'runs' | 'rows' | 'messages'> = {
    runs: [run(1, 'Do it.'), run(2, 'And more.')],
    rows: [
      row('run_1', 0, 'header', [{ type: 'header', model: 'm', harnessVersion: '1', system: 's', tools: [], cut: 0 }]),
      row('run_1', 1, 'user', [say('Here are the files.')]),
      row('run_1', 2, 'assistant', [{ type: 'thinking', text: 'Hm', cut: 0 }, say('I look.'), use('a'), use('b')]),
      row('run_1', 3, 'user', [toolResult('b', 'B!'), toolResult('a', 'A!')]),
      row('run_1', 4, 'assistant', [use('c'), say(' ')]),
      row('run_2', 0, 'assistant', [use('a')]),
    ],
    messages: [
      { id: 'm1', prompt: 'And more.', createdAt: AT, runId: 'run_2', takenAt: AT, droppedAt: null },
      { id: 'm2', prompt: 'By the way.', createdAt: AT, runId: 'run_1', takenAt: AT, droppedAt: null },
      { id: 'm3', prompt: 'Later.', createdAt: AT, runId: null, takenAt: null, droppedAt: null },
    ],
  }
  const entries = buildEntries(page)
  expect(
    entries.map((entry) => {
      if (entry.kind === 'calls')
        return entry.calls.map(({ id, result }) => `${id}=${result?.text ?? 'none'}`).join(' ')
      return entry.kind === 'header' ? 'header' : `${entry.kind}: ${entry.text}`
    }),
  ).toEqual([
    'run: Do it.',
    'header',
    'input: Here are the files.',
    'thought: Hm',
    'said: I look.',
    'a=A! b=B! c=none',
    'message: By the way.',
    'run: And more.',
    'a=none',
    'message: Later.',
  ])
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  expect(entries.filter((entry) => matchesEntry(entry, 'b!')).map(({ kind }) => kind)).toEqual(['calls'])
})
