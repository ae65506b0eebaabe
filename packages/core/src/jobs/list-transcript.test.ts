import { TranscriptPage } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { saveTurn } from '../runs/save-turn.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { listTranscript } from './list-transcript.ts'
import { MAX_BLOCK_TEXT, toTranscriptBlocks } from './to-transcript-blocks.ts'

const USAGE = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 }

async function open(texts: readonly string[]) {
  const database = openTestDatabase()
  let mostRuns = 0
  const prisma = database.prisma.$extends({
    query: {
      run: {
        async findMany({ args, query }) {
          const found = await query(args)
          mostRuns = Math.max(mostRuns, found.length)
          return found
        },
      },
    },
  }) as unknown as typeof database.prisma
  const { jobId, runId, projectId } = await createTestRun(database)
  const fence = await claim(database, runId)
  if (!fence) throw new Error('not claimed')
  const row = (seq: number, role: 'user' | 'assistant', text: string) => ({
    seq,
    conversation: 0,
    role,
    stopReason: role === 'user' ? null : 'tool_use',
    requestId: 'req_secret',
    content: [{ type: 'text', text }],
    usage: role === 'user' ? null : USAGE,
  })
  const rows = texts.map((text, seq) => row(seq, seq % 2 === 0 ? 'user' : 'assistant', text))
  await saveTurn(database, fence, { rows, files: [], usage: { ...USAGE, costUsd: null, turns: 1 }, events: [] })
  const list = async (after = '0.-1', limit = 50) =>
    TranscriptPage.parse(await listTranscript({ prisma }, { projectId, id: jobId, after, limit }))
  return { database, jobId, runId, projectId, list, mostRuns: () => mostRuns }
}

test('pages through the rows of all runs, oldest first, and continues with rows added later', async () => {
  const { database, jobId, runId, projectId, list } = await open(['a', 'b', 'c'])
  const second = { id: `${runId}2`, jobId, projectId, seq: 2, kind: 'message' as const, prompt: 'More.' }
  await database.prisma.run.create({ data: { ...second, active: false, endedAt: new Date() } })
  const add = (seq: number, text: string) =>
    database.prisma.transcriptRow.create({
      data: { runId: second.id, seq, conversation: 0, role: 'user', content: [{ type: 'text', text }] },
    })
  await add(0, 'd')
  await add(1, 'e')
  const seen: string[] = []
  let after = '0.-1'
  const runs = new Map<number, string>()
  for (let pages = 0; ; pages += 1) {
    const page = await list(after, 2)
    seen.push(...page.rows.map((row) => `${row.runId === runId ? 1 : 2}.${row.seq} ${JSON.stringify(row.content)}`))
    after = page.nextAfter
    for (const { seq, kind, prompt } of page.runs) runs.set(seq, `${kind} ${prompt}`)
    if (!page.hasMore) break
    expect(pages).toBeLessThan(5)
  }
  expect([...runs]).toEqual([
    [1, 'create Fix it.'],
    [2, 'message More.'],
  ])
  expect(seen).toEqual(
    ['1.0 a', '1.1 b', '1.2 c', '2.0 d', '2.1 e'].map((entry) => {
      const [place, text] = entry.split(' ')
      return `${place} ${JSON.stringify([{ type: 'text', text, cut: 0 }])}`
    }),
  )
  expect(await list(after)).toMatchObject({ rows: [], nextAfter: after, hasMore: false })
  await add(2, 'f')
  expect((await list(after)).rows.map(({ seq }) => seq)).toEqual([2])
})

test('a page contains at most 20 runs and 100 messages, and the pages together contain all runs', async () => {
  const { database, jobId, runId, projectId, list, mostRuns } = await open(['a'])
  const ids = Array.from({ length: 50 }, (_, index) => `${runId}${index + 2}`)
  await database.prisma.run.createMany({
    data: ids.map((id, index) => ({
      id,
      jobId,
      projectId,
      seq: index + 2,
      kind: 'message' as const,
      prompt: 'More.',
      active: false,
      endedAt: new Date(),
    })),
  })
  const last = ids.at(-1) ?? ''
  await database.prisma.transcriptRow.create({
    data: { runId: last, seq: 0, conversation: 0, role: 'user', content: [{ type: 'text', text: 'z' }] },
  })
  await database.prisma.jobMessage.createMany({
    data: Array.from({ length: 130 }, (_, index) => ({
      id: `msg_${jobId}${index}`,
      jobId,
      projectId,
      prompt: `${index}`,
      runId: last,
      takenAt: new Date(),
      createdAt: new Date(1_700_000_000_000 + index),
    })),
  })
  const [runs, rows]: [string[], string[]] = [[], []]
  let page = await list()
  for (let after = ''; after !== page.nextAfter || page.hasMore; page = await list(after)) {
    expect(page.runs.length).toBeLessThanOrEqual(20)
    runs.push(...page.runs.map(({ id }) => id))
    rows.push(...page.rows.map((row) => row.runId))
    after = page.nextAfter
  }
  expect([...new Set(runs)]).toEqual([runId, ...ids])
  expect(rows).toEqual([runId, last])
  expect(mostRuns()).toBe(21)
  expect(page.messages.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 100 }, (_, index) => `${index + 30}`))
})

test('ends a page of large rows early without losing rows', async () => {
  const texts = Array.from({ length: 70 }, () => 'x'.repeat(MAX_BLOCK_TEXT))
  const { list } = await open(texts)
  const first = await list('0.-1', 200)
  expect(first.hasMore).toBe(true)
  expect(first.rows.length).toBeGreaterThan(50)
  expect(first.rows.length).toBeLessThan(60)
  const rest = await list(first.nextAfter, 200)
  expect([...first.rows, ...rest.rows].map(({ seq }) => seq)).toEqual(texts.map((_, seq) => seq))
  expect(rest.hasMore).toBe(false)
})

test("rejects access to another project's job and includes undelivered messages", async () => {
  const { database, jobId, projectId, list } = await open([])
  await expect(listTranscript(database, { projectId: 'prj_x', id: jobId, after: '0.-1', limit: 1 })).rejects.toThrow(
    'Not found.',
  )
  await database.prisma.jobMessage.create({ data: { id: `msg_${jobId}`, jobId, projectId, prompt: 'And this.' } })
  expect((await list()).messages).toMatchObject([{ prompt: 'And this.', runId: null, takenAt: null, droppedAt: null }])
})

test('omits signatures and encrypted thinking, reports how much text was truncated, and reports unknown blocks by type', () => {
  const long = `${'a'.repeat(MAX_BLOCK_TEXT - 1)}👍 and more`
  const blocks = toTranscriptBlocks({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'SECRET' },
      { type: 'redacted_thinking', data: 'SECRET' },
      { type: 'text', text: long },
      { type: 'tool_use', id: 't1', name: 'create', input: { path: 'a.md', text: long, deep: { a: [1, true, null] } } },
      {
        type: 'tool_result',
        tool_use_id: 't1',
        is_error: true,
        content: [{ type: 'text', text: 'no' }, { type: 'image' }],
      },
      { type: 'tool_result', tool_use_id: 't2', content: 'yes' },
      'nonsense',
    ],
  })
  expect(JSON.stringify(blocks)).not.toContain('SECRET')
  expect(blocks.map(({ type }) => type)).toEqual([
    'thinking',
    'other',
    'text',
    'tool_use',
    'tool_result',
    'tool_result',
    'other',
  ])
  const [, , text, use, failed, fine] = blocks
  expect(text).toMatchObject({ cut: long.length - MAX_BLOCK_TEXT })
  expect(text?.type === 'text' && text.text.isWellFormed()).toBe(true)
  expect(use).toMatchObject({ input: { path: 'a.md', deep: { a: [1, true, null] } }, cut: long.length - 10_000 })
  expect(failed).toMatchObject({ toolUseId: 't1', isError: true, text: 'no\n[image]' })
  expect(fine).toMatchObject({ isError: false, text: 'yes', cut: 0 })
  const [header] = toTranscriptBlocks({
    role: 'header',
    content: {
      model: 'm',
      harnessVersion: '1',
      system: [{ type: 'text', text: 'Be good.' }],
      tools: [{ name: 'view' }],
    },
  })
  expect(header).toEqual({
    type: 'header',
    model: 'm',
    harnessVersion: '1',
    system: 'Be good.',
    tools: ['view'],
    cut: 0,
  })
})

test('truncates deep or wide tool inputs', () => {
  let deep: unknown = 'end'
  for (let i = 0; i < 50_000; i += 1) deep = { a: deep }
  const wide = Array.from({ length: 5_000 }, () => 'x'.repeat(100))
  for (const input of [deep, wide, wide.map(() => wide)]) {
    const text = JSON.stringify(
      toTranscriptBlocks({ role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'n', input }] }),
    )
    expect(text.length).toBeLessThan(60_000)
  }
})

test('shows the first 100,000 characters of a prompt or message, because every page contains all of them', async () => {
  const { database, jobId, runId, projectId, list } = await open([])
  const second = { id: `${runId}2`, jobId, projectId, seq: 2, kind: 'message' as const, prompt: 'p'.repeat(900_000) }
  await database.prisma.run.create({ data: { ...second, active: false, endedAt: new Date() } })
  await database.prisma.jobMessage.create({
    data: { id: `msg_${jobId}`, jobId, projectId, prompt: 'm'.repeat(100_001) },
  })
  const { runs, messages } = await list()
  expect(runs[1]?.prompt).toBe(`${'p'.repeat(100_000)}\n[… 800000 more characters]`)
  expect(messages[0]?.prompt).toBe(`${'m'.repeat(100_000)}\n[… 1 more characters]`)
})
