import { randomUUID } from 'node:crypto'
import { quoteMessage } from '@corrigenda/agent/internal/loop/build-first-message'
import { shortenRequests } from '@corrigenda/agent/internal/loop/shorten-requests'
import { expect, test } from 'vitest'
import { claim, createTestRun, silent } from '../../../../packages/core/src/test-support/create-test-run.ts'
import { openTestDatabase } from '../../../../packages/core/src/test-support/open-test-database.ts'
import { buildTranscriptStore } from './build-transcript-store.ts'

const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }
type StoreInput = Parameters<typeof buildTranscriptStore>[1]

/** Opens the store of a claimed run. */
async function open(secrets: string[] = []) {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const fence = await claim(database, runId)
  if (fence === null) throw new Error('the run was not claimed')
  const workTree = { takeDirty: () => [] } as Partial<StoreInput['workTree']> as StoreInput['workTree']
  const store = buildTranscriptStore(
    { prisma: database.prisma, onPoint: async () => {}, secrets, log: silent, monthlyBudgetUsd: null },
    {
      fence,
      projectId: fence.projectId,
      workTree,
      instructions: { listPaths: () => [], note: async () => [] },
      state: { rows: [], files: [] },
    },
  )
  const listData = async (type: string) =>
    (await database.prisma.jobEvent.findMany({ where: { jobId, type }, orderBy: { seq: 'asc' } })).map(
      ({ data }) => data,
    )
  const sendMessage = (id: string) =>
    database.prisma.jobMessage.create({ data: { id, jobId, projectId: fence.projectId, prompt: 'More.' } })
  return { store, listData, sendMessage, prisma: database.prisma, projectId: fence.projectId }
}

test('records a tool call with its subject and the target of a move, without secrets', async () => {
  const secret = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz'
  const { store, listData } = await open([secret])
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
  const rows = [{ conversation: 0, seq: 0, row }] as unknown as Parameters<typeof store.append>[0]
  await store.append(rows, { ...TOKENS, costUsd: null, turns: 1 })
  const [first, hidden, ...others] = await listData('tool.called')
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
  const { store, listData } = await open()
  const texts = shortenRequests(['x'.repeat(400), 'short', 'y'.repeat(300)], { softContextTokens: 100 })
  const content = texts.flatMap(quoteMessage)
  const rows = [{ conversation: 0, seq: 0, row: { role: 'user', content } }] as const
  await store.append(rows, { ...TOKENS, costUsd: null, turns: 0 })
  const omissions = await listData('prompt.shortened')
  expect(omissions).toMatchObject([{ characters: 400 }, { characters: 300 }])
  for (const data of omissions) expect(Object(data).omitted).toBeGreaterThan(200)
})

test('lists a message that arrived before the store was opened or since its last append', async () => {
  const { store, sendMessage } = await open()
  const append = async (seq: number, delivers: string[] = []) => {
    const row = { role: 'user' as const, content: [] }
    await store.append([{ conversation: 0, seq, row }], { ...TOKENS, costUsd: null, turns: 0 }, delivers)
    return (await store.listMessages?.())?.map(({ id }) => id)
  }
  const [first, second] = [`msg_${randomUUID()}`, `msg_${randomUUID()}`]
  await sendMessage(first)
  expect(await store.listMessages?.()).toMatchObject([{ id: first }])
  expect(await append(0, [first])).toEqual([])
  expect(await append(1)).toEqual([])
  await sendMessage(second)
  expect(await append(2)).toEqual([second])
  expect(await append(3, [second])).toEqual([])
})

test('checks the budget with the spend of the last append, and reads it again without one', async () => {
  const { store, prisma, projectId } = await open()
  const setBudget = (monthlyBudgetUsd: number) =>
    prisma.project.update({ where: { id: projectId }, data: { monthlyBudgetUsd } })
  const append = (costUsd: number) => store.append([], { ...TOKENS, costUsd, turns: 1 }, [], costUsd)
  expect(await store.describeSpentBudget()).toBeNull()
  await setBudget(1)
  await append(0.5)
  expect(await store.describeSpentBudget()).toBeNull()
  await append(1)
  expect(await store.describeSpentBudget()).toMatch(/monthly budget of 1 US dollars is used up/)
  await setBudget(2)
  expect(await store.describeSpentBudget()).toBeNull()
  await setBudget(1)
  expect(await store.describeSpentBudget()).toMatch(/is used up/)
})
