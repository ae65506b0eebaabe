import { expect, test } from 'vitest'
import { cancelJob } from '../jobs/cancel-job.ts'
import { getDashboardJob } from '../jobs/list-dashboard-jobs.ts'
import { openMessages } from '../jobs/test-support/open-messages.ts'
import { claim } from '../test-support/create-test-run.ts'
import { finishRun } from './finish-run.ts'
import { releaseRun, restartRun } from './release-run.ts'

async function open() {
  const opened = await openMessages()
  const { database, run, read } = opened
  return {
    ...opened,
    /** Moves the start of the current claim to the past. */
    work: (seconds: number) =>
      database.prisma.$executeRaw`
        UPDATE runs SET claimed_at = claimed_at - make_interval(secs => ${seconds}::float8)
        WHERE job_id = ${run.jobId} AND active`,
    /** Expects a job without a claim. The test itself works for less than 30 seconds. */
    async expectWorked(seconds: number) {
      const { workedMs, workingSince } = await read()
      expect(workingSince).toBeNull()
      expect(workedMs).toBeGreaterThanOrEqual(seconds * 1000)
      expect(workedMs).toBeLessThan((seconds + 30) * 1000)
    },
  }
}

const QUESTION = { kind: 'needs_input', summary: 'Which page?', checks: [] } as const
const NOTHING = { kind: 'no_changes', summary: '', checks: [] } as const

test('the working time contains all claims of all runs, but neither waiting for a worker nor for an answer', async () => {
  const { database, run, send, claimNext, read, work, expectWorked } = await open()
  expect(await read()).toMatchObject({ workedMs: 0, workingSince: null })
  const first = (await claim(database, run.runId))!
  expect(await read()).toMatchObject({ workedMs: 0, workingSince: expect.any(String) })
  await work(100)
  await releaseRun(database, first, { reason: 'waiting', afterMs: null })
  await expectWorked(100)
  const second = (await claim(database, run.runId))!
  expect((await read()).workedMs).toBeGreaterThanOrEqual(100_000)
  await work(200)
  await finishRun(database, second, QUESTION)
  await expectWorked(300)
  await send('The start page.')
  await expectWorked(300)
  const third = (await claimNext())!
  expect((await read()).workingSince).not.toBeNull()
  await work(400)
  await finishRun(database, third, NOTHING)
  await expectWorked(700)
  const { workedMs } = await read()
  expect(await getDashboardJob(database, { projectId: run.projectId, id: run.jobId })).toMatchObject({ workedMs })
})

test('a run that restarts keeps its working time', async () => {
  const { database, run, send, claimNext, work, expectWorked } = await open()
  await finishRun(database, (await claim(database, run.runId))!, QUESTION)
  await send('The start page.')
  const held = (await claimNext())!
  await work(100)
  await restartRun(database, held)
  await expectWorked(100)
})

test('a crashed worker counts as working until its lease expired', async () => {
  const { database, deps, run, expectWorked } = await open()
  await claim(database, run.runId)
  await database.prisma.$executeRaw`
    UPDATE runs SET claimed_at = claimed_at - interval '10 hours', lease_until = claimed_at - interval '9 hours'
    WHERE id = ${run.runId}`
  await cancelJob(deps, { projectId: run.projectId, id: run.jobId })
  await expectWorked(3_600)
})

test('a follow-up adds the working time of runs that an earlier version ended', async () => {
  const { database, run, send, claimNext, read, work, expectWorked } = await open()
  const where = { id: run.jobId }
  await claim(database, run.runId)
  await work(100)
  // An earlier version keeps the start of the last claim in the run, and does not count for the job.
  const endedAt = new Date()
  await database.prisma.run.update({ where: { id: run.runId }, data: { active: false, endedAt, leaseUntil: null } })
  const ending = { status: 'completed', outcome: 'needs_input', phase: null, finishedAt: endedAt } as const
  await database.prisma.job.update({ where, data: { ...ending, workedMs: null } })
  expect(await read()).toMatchObject({ workedMs: null, workingSince: null })
  await send('The start page.')
  const next = (await claimNext())!
  await work(50)
  await finishRun(database, next, NOTHING)
  await expectWorked(150)
})
