import { expect, test } from 'vitest'
import { createTestRun } from './create-test-run.ts'
import { openOwnTestDatabase } from './open-test-database.ts'

// Each test gets the database of the test before it, if that is possible.
const urls: string[] = []

test('a test fills its database', async () => {
  const own = await openOwnTestDatabase()
  urls.push(own.url)
  const { projectId, jobId } = await createTestRun(own)
  await own.prisma.deployment.create({ data: { id: 'dep_1', projectId, jobId, trigger: 'api', summary: '' } })
})

test('the next test gets the same database without rows, and changes its schema', async () => {
  const own = await openOwnTestDatabase()
  urls.push(own.url)
  expect(urls[1]).toBe(urls[0])
  for (const table of ['projects', 'jobs', 'job_events', 'runs', 'deployments', 'audit_events', 'workers']) {
    expect([table, (await own.pool.query(`SELECT FROM ${table}`)).rowCount]).toEqual([table, 0])
  }
  const { projectId } = await createTestRun(own)
  const data = { id: 'dep_1', projectId, trigger: 'api', summary: '' }
  expect(await own.prisma.deployment.create({ data })).toMatchObject({ seq: 1n })
  await own.pool.query('DROP TRIGGER guard_job ON jobs')
})

test('a database with another schema is not used again', async () => {
  expect(urls).not.toContain((await openOwnTestDatabase()).url)
})
