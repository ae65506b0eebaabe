import { expect, onTestFinished, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openNewTestDatabase } from '../test-support/open-test-database.ts'
import { findIndexedMatches, type JobSearch, mergeSearchIndex, searchJobs } from './search-jobs.ts'

/** Opens a project with six jobs. The first, third and fifth have the text in different columns. */
async function open() {
  const database = await openNewTestDatabase(3)
  const { prisma } = database
  const first = await createTestRun(database)
  const { projectId } = first
  const runs = [first]
  while (runs.length < 6) runs.push(await createTestRun(database, projectId))
  const ids = runs.map(({ jobId }) => jobId)
  await prisma.job.update({ where: { id: ids[0]! }, data: { title: 'About DOC-4711 and 100%_' } })
  await prisma.job.update({ where: { id: ids[2]! }, data: { summary: 'Solves doc-4711.' } })
  await prisma.$executeRaw`
    INSERT INTO runs (id, job_id, project_id, seq, kind, prompt, active, ended_at)
    VALUES ('run_x', ${ids[4]}, ${projectId}, 2, 'message', 'See Doc-4711', false, now())`
  const match = async (text: string, limitMs = 60_000) => {
    const found = await findIndexedMatches(database, { projectId, text, limitMs })
    return found?.map((id) => ids.indexOf(id)).sort() ?? null
  }
  const page = async (query: Partial<JobSearch>) => {
    const base = { projectId, q: 'doc-4711', filter: {}, limit: 10, window: 1, searchMs: 60_000 }
    const found = await searchJobs(database, { ...base, ...query })
    return { ids: found.ids.map((id) => ids.indexOf(id)), nextCursor: found.nextCursor }
  }
  return { database, projectId, ids, match, page }
}

test('finds a text in titles, summaries and prompts of one project, ignoring case', async () => {
  const { database, match } = await open()
  const other = await createTestRun(database)
  await database.prisma.job.update({ where: { id: other.jobId }, data: { title: 'DOC-4711' } })
  const countPending = async () =>
    (await database.pool.query<{ n: string }>("SELECT gin_clean_pending_list('runs_by_text') AS n")).rows[0]?.n
  for (const merge of [async () => {}, () => mergeSearchIndex(database)]) {
    await merge()
    expect(await match('dOC-4711')).toEqual([0, 2, 4])
    expect(await match('OC-471')).toEqual([0, 2, 4])
    expect(await match('100%_')).toEqual([0])
    expect(await match('100_')).toEqual([])
  }
  expect(await countPending()).toBe('0')
})

test('finds nothing for a text that the index does not contain or that is too frequent', async () => {
  const { database, projectId, ids, match } = await open()
  expect(await match('47')).toBe(null)
  expect(await match('日本語')).toBe(null)
  expect(await match('Fix it.')).toEqual([0, 1, 2, 3, 4, 5])
  await database.prisma.$executeRaw`
    INSERT INTO runs (id, job_id, project_id, seq, kind, prompt, active, ended_at)
    SELECT 'run_' || n, ${ids[0]}, ${projectId}, n, 'message', 'Fix it.', false, now() FROM generate_series(10, 1100) n`
  expect(await match('Fix it.')).toBe(null)
})

test('reads the search indexes', async () => {
  const { database, match } = await open()
  const { pool } = database
  // Postgres prefers these indexes in projects with few jobs.
  const { rows } = await pool.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE indrelid IN ('jobs'::regclass, 'runs'::regclass) AND relname NOT LIKE '%by_text' AND NOT indisunique`,
  )
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`)
  expect(await match('doc-4711')).toEqual([0, 2, 4])
  await expect
    .poll(
      async () =>
        (await pool.query("SELECT FROM pg_stat_user_indexes WHERE indexrelname LIKE '%by_text' AND idx_scan > 0"))
          .rowCount,
    )
    .toBe(2)
})

test('a search continues with the index after the newest jobs, with filters, times and pages', async () => {
  const { database, ids, page } = await open()
  const times = await Promise.all(ids.map((id) => database.prisma.job.findUniqueOrThrow({ where: { id } })))
  await database.prisma.job.update({ where: { id: ids[0]! }, data: { model: 'm-2' } })
  const { model } = times[4]!
  expect(await page({})).toEqual({ ids: [4, 2, 0], nextCursor: null })
  expect(await page({ filter: { model } })).toEqual({ ids: [4, 2], nextCursor: null })
  expect(await page({ states: ['queued', 'failed'] })).toEqual({ ids: [4, 2, 0], nextCursor: null })
  expect(await page({ states: ['failed', 'active'] })).toEqual({ ids: [], nextCursor: null })
  expect(await page({ filter: { createdBefore: times[4]!.createdAt.toISOString() } })).toMatchObject({ ids: [2, 0] })
  const first = await page({ limit: 2 })
  expect(first).toEqual({ ids: [4, 2], nextCursor: expect.any(String) })
  expect(await page({ limit: 2, cursor: first.nextCursor! })).toEqual({ ids: [0], nextCursor: null })
})

test('a search reads the jobs one after the other without the index', async () => {
  const { database, match, page } = await open()
  await database.pool.query('DROP INDEX runs_by_text')
  expect(await match('doc-4711')).toBe(null)
  expect(await page({})).toEqual({ ids: [4, 2, 0], nextCursor: null })
  await mergeSearchIndex(database)
})

test('gives up after the time limit', async () => {
  const { database, match } = await open()
  const client = await database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE')
  expect(await match('doc-4711', 50)).toBe(null)
  await client.query('ROLLBACK')
  expect(await match('doc-4711', 0)).toBe(null)
  expect(await match('doc-4711', 60_000)).toEqual([0, 2, 4])
})
