import { expect, onTestFinished, test } from 'vitest'
import type { PoolDeps } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { loadRunState, saveTurn, type Turn } from './save-turn.ts'

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

test('rejects a turn that waits for the run while another worker claims it', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const held = await claim(database, runId)
  const client = await database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('UPDATE runs SET attempt = attempt + 1 WHERE id = $1', [runId])
  const { before } = (await client.query('SELECT last_event_seq AS before FROM jobs WHERE id = $1', [jobId])).rows[0]
  const events = [{ type: 'agent.said', data: { text: 'late' } }] as const
  const late = saveTurn(database, held!, { rows: [row], files: [], usage, events })
  late.catch(() => {})
  await expect.poll(() => countWaiting(database)).toBeGreaterThan(0)
  await client.query('COMMIT')
  await expect(late).rejects.toMatchObject({ name: 'LostLeaseError' })
  expect(await loadRunState(database, runId)).toEqual({ rows: [], files: [] })
  const job = await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })
  expect(job).toMatchObject({ lastEventSeq: before, turns: 0 })
})

test('numbers the events of concurrent writers without gaps', async () => {
  const database = openTestDatabase(8)
  const { runId, jobId } = await createTestRun(database)
  const held = await claim(database, runId)
  const said = (text: string) => ({ type: 'agent.said', data: { text } }) as const
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0
        ? saveTurn(database, held!, { rows: [], files: [], usage, events: [said(`${n}a`), said(`${n}b`)] })
        : appendEvent(database.prisma, jobId, said(`${n}`)),
    ),
  )
  const stored = await database.prisma.jobEvent.findMany({ where: { jobId }, orderBy: { seq: 'asc' } })
  expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 + 18 }, (_, n) => n + 1))
  const texts = stored.map(({ data }) => Object(data).text)
  for (const n of [0, 2, 4]) expect(texts.indexOf(`${n}b`)).toBe(texts.indexOf(`${n}a`) + 1)
})

test('adds the usage of a run to that of the earlier runs, and an unknown cost to an unknown total', async () => {
  const database = openTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  const held = await claim(database, runId)
  const save = async (usageBefore: object, costUsd: number | null) => {
    await database.prisma.run.update({ where: { id: runId }, data: { usageBefore } })
    await saveTurn(database, held!, { rows: [], files: [], events: [], usage: { ...usage, costUsd } })
    const { inputTokens, turns, costUsd: total } = await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })
    return { inputTokens, turns, costUsd: total?.toNumber() ?? null }
  }
  expect(await save({}, 0.5)).toEqual({ inputTokens: 1, turns: 1, costUsd: 0.5 })
  expect(await save({ inputTokens: 10, turns: 2, costUsd: 1 }, 0.5)).toEqual({
    inputTokens: 11,
    turns: 3,
    costUsd: 1.5,
  })
  expect(await save({ costUsd: null }, 0.5)).toMatchObject({ costUsd: null })
  expect(await save({ costUsd: 1 }, null)).toMatchObject({ costUsd: null })
})

/** Counts the statements that write a turn and wait for a lock. */
async function countWaiting({ pool }: PoolDeps): Promise<number> {
  const { rows } = await pool.query(`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH held AS%'`)
  return rows[0].n
}
