import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { claim, createTestRun, silent } from '../../../../packages/core/src/test-support/create-test-run.ts'
import { openTestDatabase } from '../../../../packages/core/src/test-support/open-test-database.ts'
import { buildTranscriptStore } from './build-transcript-store.ts'

const TOKENS = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }
type StoreInput = Parameters<typeof buildTranscriptStore>[1]

/** Opens the store of a claimed run. */
async function open() {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const fence = await claim(database, runId)
  if (fence === null) throw new Error('the run was not claimed')
  const workTree = { takeDirty: () => [] } as Partial<StoreInput['workTree']> as StoreInput['workTree']
  const store = buildTranscriptStore(
    { prisma: database.prisma, onPoint: async () => {}, log: silent, monthlyBudgetUsd: null },
    {
      fence,
      projectId: fence.projectId,
      workTree,
      instructions: { listPaths: () => [], note: async () => [] },
    },
  )
  const sendMessage = (id: string) =>
    database.prisma.jobMessage.create({ data: { id, jobId, projectId: fence.projectId, prompt: 'More.' } })
  return { store, sendMessage, prisma: database.prisma, projectId: fence.projectId }
}

test('lists a message that arrived before the store was opened or since its last append', async () => {
  const { store, sendMessage } = await open()
  const append = async (seq: number, delivers: string[] = []) => {
    const row = { role: 'user' as const, content: [] }
    await store.append([{ conversation: 0, seq, row }], { ...TOKENS, costUsd: null, turns: 0 }, delivers, null, [])
    return (await store.listMessages()).map(({ id }) => id)
  }
  const [first, second] = [`msg_${randomUUID()}`, `msg_${randomUUID()}`]
  await sendMessage(first)
  expect(await store.listMessages()).toMatchObject([{ id: first }])
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
  const append = (costUsd: number) => store.append([], { ...TOKENS, costUsd, turns: 1 }, [], costUsd, [])
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
