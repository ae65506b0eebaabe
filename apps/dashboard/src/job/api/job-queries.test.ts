import type { TranscriptPage } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { addPage } from './job-queries.ts'

const at = (n: number) => new Date(n * 1000).toISOString()
const run = (seq: number, endedAt: string | null = null): TranscriptPage['runs'][number] => ({
  id: `run_${seq}`,
  seq,
  kind: 'message',
  prompt: 'x',
  createdAt: at(seq),
  startedAt: null,
  endedAt,
  transcriptRemovedAt: null,
})
const message = (n: number, takenAt: string | null = null): TranscriptPage['messages'][number] => ({
  id: `msg_${n}`,
  prompt: 'x',
  createdAt: at(n),
  runId: null,
  takenAt,
  droppedAt: null,
})

test('a later page replaces runs and messages, and adds new ones in order', () => {
  const first = { runs: [run(1), run(2)], messages: [message(2)], rows: [], nextAfter: '1.0', hasMore: true }
  const second = { runs: [run(2, at(9)), run(3)], messages: [message(1), message(2, at(9))], rows: [] }
  const known = addPage(addPage(undefined, first), { ...second, nextAfter: '3.0', hasMore: false })
  expect(known).toEqual({
    runs: [run(1), run(2, at(9)), run(3)],
    messages: [message(1), message(2, at(9))],
    rows: [],
    nextAfter: '3.0',
    hasMore: false,
  })
})
