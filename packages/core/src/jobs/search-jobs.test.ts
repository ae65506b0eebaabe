import { expect, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { type JobSearch, searchJobs } from './search-jobs.ts'

async function open() {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.push((await createTestRun(database, projectId)).jobId)
  const title = (n: number) => database.prisma.job.update({ where: { id: ids[n]! }, data: { title: 'About whales' } })
  for (const n of [0, 3, 6]) await title(n)
  const find = async (query: Partial<JobSearch> & { q: string }) => {
    const page = await searchJobs(database, { projectId, filter: {}, limit: 10, ...query })
    return { ids: page.ids.map((id) => ids.indexOf(id)), nextCursor: page.nextCursor }
  }
  return { database, projectId, find }
}

test('a search reads the jobs in windows', async () => {
  const { database, projectId, find } = await open()
  for (const window of [1, 2, 3, 7, 8]) {
    expect(await find({ q: 'WHALE', window, searchMs: 60_000 })).toEqual({ ids: [6, 3, 0], nextCursor: null })
  }
  const first = await find({ q: 'whale', limit: 2, window: 2, searchMs: 60_000 })
  expect(first).toEqual({ ids: [6, 3], nextCursor: expect.any(String) })
  const second = await find({ q: 'whale', limit: 2, window: 2, searchMs: 60_000, cursor: first.nextCursor! })
  expect(second).toEqual({ ids: [0], nextCursor: null })
  expect(await find({ q: 'Fix it.', limit: 3 })).toMatchObject({ ids: [6, 5, 4] })
  expect(await find({ q: 'whale', filter: { author: 'usr_x' } })).toEqual({ ids: [], nextCursor: null })
  const other = await createTestProject(database)
  for (const q of ['whale', 'Fix it.']) {
    expect(await find({ q, projectId: other.id })).toEqual({ ids: [], nextCursor: null })
  }
  expect(projectId).not.toBe(other.id)
})

test('a search reads the first 100,000 characters of a prompt', async () => {
  const { database, projectId, find } = await open()
  const { jobId } = await createTestRun(database, projectId)
  const prompt = `${'x'.repeat(99_990)} near the limit, beyond it`
  const run = { id: `${jobId}2`, jobId, projectId, seq: 2, kind: 'message' as const, prompt }
  await database.prisma.run.create({ data: { ...run, active: false, endedAt: new Date() } })
  expect((await find({ q: 'x near' })).ids).toHaveLength(1)
  expect((await find({ q: 'beyond it' })).ids).toEqual([])
})

test('a search that runs out of time returns what it found and where it stopped', async () => {
  const { find } = await open()
  const found: number[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages += 1) {
    const page = await find({ q: 'whale', window: 2, searchMs: 0, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.ids)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(found).toEqual([6, 3, 0])
  expect(pages).toBe(3)
})

test('a search reads prompts only through the index of their jobs', async () => {
  const { database } = await open()
  const statements: string[] = []
  const { prisma } = database
  const searchPrisma = {
    $queryRaw: (parts: TemplateStringsArray, ...values: unknown[]) => {
      const statement = parts.reduce((sql, part, index) => `${sql}$${index}${part}`)
      if (statement.includes('FROM runs')) statements.push(statement)
      return prisma.$queryRaw(parts, ...values)
    },
  }
  const { id: projectId } = await createTestProject(database)
  await createTestRun(database, projectId)
  const query = { projectId, filter: {}, limit: 1, q: 'whale' }
  await searchJobs({ prisma, search: { prisma: searchPrisma as never } }, query)
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL enable_seqscan = off')
    const { rows } = await client.query(`EXPLAIN ${statements[0]}`, [['job_x'], '%w%', '%w%', ['job_x'], 1, '%w%'])
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan/)
    expect(plan).toMatch(/runs_job_id/)
    await client.query('ROLLBACK')
  } finally {
    client.release()
  }
})
