import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { claim, createTestRun, freeze } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { deleteJob } from './delete-job.ts'

/** Publishes the run's change, which ends the job with an open pull request. */
async function publish(database: Database, runId: string) {
  const held = (await claim(database, runId))!
  await freeze(database, held)
  await recordPush(database, held, { branch: 'b', commit: 'c' })
  const url = `https://github.com/acme/docs/pull/${runId}`
  await finishRun(database, held, {
    kind: 'changed',
    pullRequest: { number: 1, url, branch: 'b', state: 'open', draft: false },
  })
}

test('deletes only a job that has ended, with everything that belongs to it', async () => {
  const database = openTestDatabase()
  const { prisma } = database
  const { jobId, runId, projectId } = await createTestRun(database)
  const remaining = await createTestRun(database, projectId)
  const key = { projectId, id: jobId }
  await expect(deleteJob(database, key)).rejects.toMatchObject({ code: 'job_active' })
  await publish(database, runId)
  await publish(database, remaining.runId)
  await prisma.transcriptRow.create({ data: { runId, seq: 1, conversation: 1, role: 'user', content: [] } })
  await prisma.job.update({ where: { id: remaining.jobId }, data: { retryOf: jobId } })
  await prisma.deployment.create({ data: { id: `dep_${runId}`, projectId, jobId, trigger: 'test' } })
  const foreign = await createTestProject(database)
  await expect(deleteJob(database, { projectId: foreign.id, id: jobId })).rejects.toMatchObject({ code: 'not_found' })
  await deleteJob(database, key)
  await expect(deleteJob(database, key)).rejects.toMatchObject({ code: 'not_found' })
  const where = { jobId: { in: [jobId, remaining.jobId] } }
  expect(await prisma.job.findMany({ where: { projectId }, select: { id: true, retryOf: true } })).toEqual([
    { id: remaining.jobId, retryOf: null },
  ])
  expect(await prisma.pullRequestWatch.findMany({ where, select: { jobId: true } })).toEqual([
    { jobId: remaining.jobId },
  ])
  expect(await prisma.transcriptRow.count({ where: { runId } })).toBe(0)
  expect(await prisma.jobEvent.count({ where: { jobId } })).toBe(0)
  expect(await prisma.deployment.findMany({ where: { projectId }, select: { jobId: true } })).toEqual([{ jobId: null }])
})
