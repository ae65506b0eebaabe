import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { listTranscript } from '../jobs/list-transcript.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { removeExpired } from './remove-expired.ts'

const KEEP = { transcriptDays: null, jobDays: null, auditDays: null }

/** Runs a statement without triggers, which protect the times of ended jobs and runs. */
async function change(database: Database, statement: string): Promise<void> {
  await database.prisma.$transaction([
    database.prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
    database.prisma.$executeRawUnsafe(statement),
  ])
}

/** Creates a job with a transcript and files that ended some days ago, or is still active. */
async function addJob(database: Database, daysAgo: number | null) {
  const run = await createTestRun(database)
  await database.pool.query(
    `INSERT INTO transcript_rows (run_id, seq, conversation, role, content)
      SELECT $1, n, 0, 'user', '[]' FROM generate_series(1, 3) n`,
    [run.runId],
  )
  await database.pool.query("INSERT INTO run_files (run_id, path, mode) VALUES ($1, 'a.md', '100644')", [run.runId])
  const held = await claim(database, run.runId)
  if (daysAgo === null) return run
  await finishRun(database, held!, { kind: 'no_changes', summary: '', checks: [] })
  await change(database, `UPDATE runs SET ended_at = now() - interval '${daysAgo} days' WHERE id = '${run.runId}'`)
  await change(database, `UPDATE jobs SET finished_at = now() - interval '${daysAgo} days' WHERE id = '${run.jobId}'`)
  return run
}

async function open() {
  const database = await openOwnTestDatabase()
  const remove = async (periods: Parameters<typeof removeExpired>[1]) => {
    while (await removeExpired(database, periods));
  }
  const list = async (table: string, column = 'run_id') =>
    (await database.pool.query(`SELECT DISTINCT ${column} AS id FROM ${table}`)).rows.map(({ id }) => id).sort()
  return { database, remove, list }
}

test('keeps everything but the files of ended runs by default', async () => {
  const { database, remove, list } = await open()
  const old = await addJob(database, 400)
  const fresh = await addJob(database, 0)
  const active = await addJob(database, null)
  await remove(KEEP)
  expect(await list('run_files')).toEqual([fresh.runId, active.runId].sort())
  expect(await list('transcript_rows')).toEqual([old.runId, fresh.runId, active.runId].sort())
  expect(await list('jobs', 'id')).toHaveLength(3)
})

test('removes stored responses to idempotent requests after a day', async () => {
  const { database, remove, list } = await open()
  const { projectId } = await createTestRun(database)
  const row = (key: string, hours: number) => ({
    projectId,
    key,
    createdAt: new Date(Date.now() - hours * 3_600_000),
    requestHash: new Uint8Array(32),
    response: '{}',
  })
  await database.prisma.idempotencyKey.createMany({ data: [row('old', 25), row('young', 23)] })
  await remove(KEEP)
  expect(await list('idempotency_keys', 'key')).toEqual(['young'])
})

test('removes old transcripts and records when', async () => {
  const { database, remove, list } = await open()
  const old = await addJob(database, 31)
  const young = await addJob(database, 29)
  await addJob(database, null)
  await remove({ transcriptDays: 30, jobDays: null, auditDays: null })
  expect(await list('transcript_rows')).not.toContain(old.runId)
  expect(await list('transcript_rows')).toHaveLength(2)
  expect(await list('jobs', 'id')).toHaveLength(3)
  const transcriptOf = async ({ projectId, jobId: id }: { projectId: string; jobId: string }) =>
    listTranscript(database, { projectId, id, after: '0.-1', limit: 10 })
  expect(await transcriptOf(old)).toMatchObject({ rows: [], runs: [{ transcriptRemovedAt: expect.any(String) }] })
  expect(await transcriptOf(young)).toMatchObject({ rows: [{}, {}, {}], runs: [{ transcriptRemovedAt: null }] })
})

test('applies the shorter of the periods of a project and of the service', async () => {
  const { database, remove, list } = await open()
  const [first, second, third] = [await addJob(database, 31), await addJob(database, 31), await addJob(database, 31)]
  const recent = await createTestRun(database, first.projectId)
  const set = (projectId: string, columns: string) =>
    database.pool.query(`UPDATE projects SET ${columns} WHERE id = $1`, [projectId])
  await set(first.projectId, 'retain_transcript_days = 30')
  await set(second.projectId, 'retain_job_days = 30')
  await set(third.projectId, 'retain_transcript_days = 60, retain_job_days = 60')
  await remove(KEEP)
  expect(await list('transcript_rows')).toEqual([third.runId])
  expect(await list('jobs', 'id')).toEqual([first.jobId, third.jobId, recent.jobId].sort())
  await remove({ ...KEEP, transcriptDays: 30 })
  expect(await list('transcript_rows')).toEqual([])
})

test('removes old jobs, but none that is active, tracked or locked', async () => {
  const { database, remove, list } = await open()
  const old = await addJob(database, 31)
  const young = await addJob(database, 29)
  const active = await addJob(database, null)
  await change(database, `UPDATE jobs SET created_at = now() - interval '99 days' WHERE id = '${active.jobId}'`)
  const tracked = await addJob(database, 31)
  await database.pool.query('INSERT INTO pull_request_watches (job_id, next_look_at) VALUES ($1, now())', [
    tracked.jobId,
  ])
  const locked = await addJob(database, 31)
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [locked.jobId])
  await remove({ transcriptDays: null, jobDays: 30, auditDays: null })
  await client.query('ROLLBACK')
  client.release()
  const kept = [young, active, tracked, locked].map(({ jobId }) => jobId).sort()
  expect(await list('jobs', 'id')).toEqual(kept)
  expect(await list('transcript_rows')).not.toContain(old.runId)
  await database.pool.query('UPDATE pull_request_watches SET next_look_at = NULL')
  await remove({ transcriptDays: null, jobDays: 30, auditDays: null })
  expect(await list('jobs', 'id')).toEqual([young.jobId, active.jobId].sort())
})
