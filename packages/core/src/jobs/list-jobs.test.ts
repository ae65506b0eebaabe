import { ListJobsQuery } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { finishRun } from '../runs/finish-run.ts'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { archiveJob, unarchiveJob } from './archive-job.ts'
import { listJobs } from './list-jobs.ts'

async function open(jobs: number) {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const runs = []
  for (let i = 0; i < jobs; i += 1) runs.push(await createTestRun(database, projectId))
  const list = (query: Record<string, unknown> = {}) => listJobs(database, { projectId, ...ListJobsQuery.parse(query) })
  const ids = async (query: Record<string, unknown> = {}) =>
    (await list({ limit: 100, ...query })).jobs.map((job) => job.id)
  return { database, projectId, runs, list, ids, newestFirst: runs.map((run) => run.jobId).reverse() }
}

const end = async (database: Database, runId: string) =>
  finishRun(database, (await claim(database, runId))!, {
    kind: 'no_changes',
    summary: 'Says so: 100% of it.',
    checks: [],
  })

test('lists every job once, newest first, while new jobs are created', async () => {
  const { database, projectId, list, newestFirst } = await open(7)
  const first = await list({ limit: 3 })
  await createTestRun(database, projectId)
  const second = await list({ limit: 3, cursor: first.nextCursor })
  const third = await list({ limit: 3, cursor: second.nextCursor })
  expect([...first.jobs, ...second.jobs, ...third.jobs].map((job) => job.id)).toEqual(newestFirst)
  expect(third.nextCursor).toBeNull()
})

test("filters a project's jobs by state, outcome, text and time", async () => {
  const { database, runs, ids, newestFirst } = await open(4)
  await end(database, runs[1]!.runId)
  expect(await ids({ status: 'completed' })).toEqual([runs[1]!.jobId])
  expect(await ids({ outcome: 'no_changes' })).toEqual([runs[1]!.jobId])
  expect(await ids({ status: 'failed' })).toEqual([])
  expect(await ids({ q: 'fix IT' })).toEqual(newestFirst)
  expect(await ids({ q: '100% of' })).toEqual([runs[1]!.jobId])
  // The search text is literal, without wildcards.
  expect(await ids({ q: '%' })).toEqual([runs[1]!.jobId])
  expect(await ids({ q: '_' })).toEqual([])
  await database.prisma.job.update({ where: { id: runs[0]!.jobId }, data: { title: 'C:\\docs\\new' } })
  expect(await ids({ q: 's\\n' })).toEqual([runs[0]!.jobId])
  expect(await ids({ status: 'completed', outcome: 'no_changes' })).toEqual([runs[1]!.jobId])
  expect(await ids({ status: 'completed', outcome: 'changed' })).toEqual([])
  const { createdAt } = await database.prisma.job.findUniqueOrThrow({ where: { id: runs[1]!.jobId } })
  expect(await ids({ createdAfter: createdAt.toISOString() })).not.toContain(runs[1]!.jobId)
  expect(await ids({ createdBefore: createdAt.toISOString() })).toEqual([runs[0]!.jobId])
  // The same time, written with a numeric UTC offset.
  expect(await ids({ createdBefore: createdAt.toISOString().replace('Z', '+00:00') })).toEqual([runs[0]!.jobId])
  const other = await createTestProject(database)
  expect((await listJobs(database, { projectId: other.id, limit: 20 })).jobs).toEqual([])
})

test('rejects a malformed cursor', async () => {
  const { list } = await open(0)
  for (const cursor of ['x', '%00', Buffer.from("1 job_' OR 1=1").toString('base64url')]) {
    await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('archives a job that has ended, rejects an active one, and undoes it', async () => {
  const { database, projectId, runs, ids } = await open(1)
  const input = { projectId, id: runs[0]!.jobId }
  await expect(archiveJob(database, input)).rejects.toMatchObject({ code: 'job_active' })
  await end(database, runs[0]!.runId)
  const archived = await archiveJob(database, input)
  expect(archived).toMatchObject({ status: 'archived', outcome: 'no_changes', archivedAt: expect.any(String) })
  expect(await archiveJob(database, input)).toEqual(archived)
  expect(await ids({ status: 'archived' })).toEqual([input.id])
  const events = await database.prisma.jobEvent.count({ where: { jobId: input.id, type: 'job.archived' } })
  expect(events).toBe(1)
  const restored = await unarchiveJob(database, input)
  expect(restored).toMatchObject({ status: 'completed', outcome: 'no_changes', archivedAt: null })
  expect(await unarchiveJob(database, input)).toEqual(restored)
  const { id: foreign } = await createTestProject(database)
  await expect(archiveJob(database, { projectId: foreign, id: input.id })).rejects.toMatchObject({ code: 'not_found' })
})
