import { expect, test } from 'vitest'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { loadRunState } from './load-run-state.ts'
import { saveTurn, type Turn } from './save-turn.ts'

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: 0.5, turns: 1 }
const row = {
  seq: 0,
  conversation: 0,
  role: 'user',
  content: [],
  stopReason: null,
  requestId: null,
  usage: null,
} as const

test('rolls back a turn when one of its writes is rejected', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const held = await claim(database, runId)
  const turn = {
    rows: [row],
    files: [{ path: 'a.md', mode: '100644', content: Buffer.from('x') }],
    usage,
    events: [{ type: 'tool.called', data: { tool: 'view', subject: 'a.md' } }],
  } satisfies Turn
  // The database rejects the negative counter after the messages and files have been written.
  await expect(saveTurn(database, held!, { ...turn, usage: { ...usage, turns: -1 } })).rejects.toThrow()
  expect(await loadRunState(database, runId)).toEqual({ rows: [], files: [] })
  const job = await database.prisma.job.findUniqueOrThrow({ where: { id: jobId }, include: { events: true } })
  expect(job).toMatchObject({ inputTokens: 0, turns: 0, lastEventSeq: 2 })
  expect(job.events.map(({ type }) => type).sort()).toEqual(['job.created', 'job.started'])
  await saveTurn(database, held!, turn)
  expect(await loadRunState(database, runId)).toMatchObject({ rows: [{ seq: 0 }], files: [{ path: 'a.md' }] })
})
