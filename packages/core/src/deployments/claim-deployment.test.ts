import { expect, onTestFinished, test, vi } from 'vitest'
import { renewLease } from '../leases/renew-lease.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { DEPLOYMENTS } from './claim-deployment.ts'
import { createDeployment } from './create-deployment.ts'
import { forgetDeployments, getDeployment } from './deployments.ts'
import { finishDeployment, noteDeployment, releaseDeployment } from './record-deployment.ts'
import {
  claimNext,
  createTestDeployments,
  createTestTarget,
  endDeploymentLease,
} from './test-support/create-test-deployment.ts'

const LOST = { name: 'LostLeaseError' }
const COMMIT = {
  sha: 'a'.repeat(40),
  ref: 'main',
  message: 'm',
  filesChanged: { added: [], modified: [], removed: [] },
}
const done = { status: 'success', summary: 'Done.' } as const

test("runs a project's deployments one at a time, independently of other projects", async () => {
  const database = await openOwnTestDatabase()
  const { projectId, ids } = await createTestDeployments(database, 3)
  const other = await createTestDeployments(database, 1)
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimNext(database)))
  const claimed = claims.flatMap((claim) => claim?.statusId ?? [])
  expect(claimed.sort()).toEqual([ids[0], other.ids[0]].sort())
  for (const [n, id] of ids.entries()) {
    const claim = n === 0 ? claims.find((one) => one?.statusId === id) : await claimNext(database)
    expect(claim).toMatchObject({ statusId: id, projectId, attempt: 1, target: { kind: 'hook' } })
    expect(claim?.deployedBefore).toBe(n === 0 ? null : COMMIT.sha)
    await noteDeployment(database, claim!, { commit: COMMIT })
    await finishDeployment(database, claim!, done)
  }
  expect(await claimNext(database)).toBeNull()
})

test('a database constraint allows only one deployment in progress per project', async () => {
  const database = await openOwnTestDatabase()
  const { ids } = await createTestDeployments(database, 2)
  await claimNext(database)
  await expect(
    database.prisma.$executeRaw`
      UPDATE deployments SET status = 'in_progress', attempt = 1, started_at = now() WHERE id = ${ids[1]}`,
  ).rejects.toThrow(/deployments_one_in_progress|23505/)
})

test('lets another worker take over after the lease expires and rejects writes from the first worker', async () => {
  const database = await openOwnTestDatabase()
  const { projectId, ids } = await createTestDeployments(database, 1)
  const first = await claimNext(database)
  expect(await claimNext(database)).toBeNull()
  await noteDeployment(database, first!, { line: 'One.', progress: { calls: 2, dispatch: null, runId: null } })
  await endDeploymentLease(database, ids[0]!)
  const second = await claimNext(database)
  expect(second).toMatchObject({ statusId: ids[0], attempt: 2, attemptsUsed: 2, progress: { calls: 2 } })
  const state = await getDeployment(database, { projectId, statusId: ids[0]! })
  await expect(noteDeployment(database, first!, { line: 'Two.' })).rejects.toMatchObject(LOST)
  await expect(renewLease({ ...database, leaseSeconds: 20 }, DEPLOYMENTS, first!)).rejects.toMatchObject(LOST)
  await expect(releaseDeployment(database, first!)).rejects.toMatchObject(LOST)
  await expect(finishDeployment(database, first!, { status: 'failure', summary: 'No.' })).rejects.toMatchObject(LOST)
  expect(await getDeployment(database, { projectId, statusId: ids[0]! })).toEqual(state)
  await finishDeployment(database, second!, done)
  await expect(finishDeployment(database, second!, done)).rejects.toMatchObject(LOST)
  const ended = await getDeployment(database, { projectId, statusId: ids[0]! })
  expect(ended).toMatchObject({ status: 'success', summary: 'Done.', endedAt: expect.any(String) })
  expect(ended.logs.map((line) => line.replace(/^\S+ /, ''))).toEqual(['One.', 'Done.'])
  await expect(database.prisma.deployment.update({ where: { id: ids[0]! }, data: { summary: 'x' } })).rejects.toThrow(
    /has ended/,
  )
})

test('lets another worker claim a released deployment immediately and rejects a late renewal', async () => {
  const database = await openOwnTestDatabase()
  await createTestDeployments(database, 1)
  const first = await claimNext(database)
  await releaseDeployment(database, first!)
  await expect(renewLease({ ...database, leaseSeconds: 20 }, DEPLOYMENTS, first!)).rejects.toMatchObject(LOST)
  expect(await claimNext(database)).toMatchObject({ attempt: 2, attemptsUsed: 1 })
})

test('adds an event to the job when the deployment ends, even if the job has ended', async () => {
  const database = await openOwnTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  await createTestTarget(database, projectId)
  const { statusId } = await createDeployment(database, { projectId, jobId, trigger: 'merge' })
  await finishDeployment(database, (await claimNext(database))!, { status: 'failure', summary: 'No.\u0000' })
  const events = await database.prisma.jobEvent.findMany({ where: { jobId }, orderBy: { seq: 'asc' } })
  expect(events.at(-1)).toMatchObject({
    type: 'deployment.finished',
    data: { statusId, status: 'failure', summary: 'No.\ufffd', url: null },
  })
})

test('claims a deployment with unreadable progress written by another version', async () => {
  const database = await openOwnTestDatabase()
  const { ids } = await createTestDeployments(database)
  await database.prisma.$executeRaw`UPDATE deployments SET progress = '{"calls": "many"}'`
  const none = { calls: 0, dispatch: null, runId: null }
  expect(await claimNext(database)).toMatchObject({ statusId: ids[0], progress: none })
})

test('compares a deployment with the last one of the same kind and branch', async () => {
  const database = await openOwnTestDatabase()
  const { projectId } = await createTestDeployments(database, 0)
  await database.prisma.project.update({
    where: { id: projectId },
    data: { previewUrlTemplate: 'https://example.com/{branch}' },
  })
  const deployOne = async (sha: string, previewBranch?: string) => {
    await createDeployment(database, { projectId, jobId: null, trigger: 'api', previewBranch: previewBranch ?? null })
    const claim = (await claimNext(database))!
    const filesChanged = { added: [], modified: [], removed: [] }
    await noteDeployment(database, claim, { commit: { sha, ref: 'x', message: '', filesChanged } })
    await finishDeployment(database, claim, done)
    return [claim.preview?.branch ?? null, claim.deployedBefore]
  }
  expect(await deployOne('a')).toEqual([null, null])
  expect(await deployOne('b', 'docs/one')).toEqual(['docs/one', null])
  expect(await deployOne('c', 'docs/two')).toEqual(['docs/two', null])
  expect(await deployOne('d', 'docs/one')).toEqual(['docs/one', 'b'])
  expect(await deployOne('e')).toEqual([null, 'a'])
})

test('shows the newest deployment on the job, regardless of which ends first', async () => {
  const database = await openOwnTestDatabase()
  const { jobId, projectId } = await createTestRun(database)
  await createTestTarget(database, projectId)
  const shown = async () => (await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).deployment
  const { statusId: first } = await createDeployment(database, { projectId, jobId, trigger: 'merge' })
  expect(await shown()).toEqual({ statusId: first, status: 'queued', url: null })
  const claim = await claimNext(database)
  expect(await shown()).toEqual({ statusId: first, status: 'in_progress', url: null })
  const { statusId: second } = await createDeployment(database, { projectId, jobId, trigger: 'dashboard' })
  await finishDeployment(database, claim!, done)
  expect(await shown()).toEqual({ statusId: second, status: 'queued', url: null })
  await finishDeployment(database, (await claimNext(database))!, { status: 'failure', summary: 'No.' })
  expect(await shown()).toEqual({ statusId: second, status: 'failure', url: null })
})

test("deletes deployments older than 90 days except each project's newest 20", async () => {
  const database = await openOwnTestDatabase()
  const [one, other] = [await createTestDeployments(database), await createTestDeployments(database)]
  const add = (projectId: string, count: number, days: number) =>
    database.prisma.$executeRaw`
      INSERT INTO deployments (id, project_id, source, status, created_at, started_at, ended_at)
      SELECT ${`${projectId}-${days}-`} || lpad(n::text, 2, '0'), ${projectId}, 'api', 'success', at, at, at
      FROM generate_series(1, ${count}::int) AS n, (SELECT now() - make_interval(days => ${days}) AS at) AS moment`
  await add(one.projectId, 30, 91)
  await add(other.projectId, 5, 91)
  await add(other.projectId, 25, 89)
  expect(await forgetDeployments(database)).toBe(15)
  expect(await forgetDeployments(database)).toBe(0)
  const left = async (projectId: string) =>
    (await database.prisma.deployment.findMany({ where: { projectId }, orderBy: { seq: 'asc' } })).map(({ id }) => id)
  // The queued deployments are older, but they are kept because they have not ended.
  const kept = [await left(one.projectId), await left(other.projectId)]
  expect(kept.map((ids) => ids.slice(0, 2))).toEqual([
    [one.ids[0], `${one.projectId}-91-11`],
    [other.ids[0], `${other.projectId}-89-01`],
  ])
  expect(kept.map((ids) => ids.length)).toEqual([21, 26])
})

test('records start and end times using the database clock', async () => {
  const database = await openOwnTestDatabase()
  const { ids } = await createTestDeployments(database)
  const claim = await claimNext(database)
  vi.useFakeTimers({ now: Date.now() - 3_600_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await finishDeployment(database, claim!, done)
  const { createdAt, endedAt } = await database.prisma.deployment.findUniqueOrThrow({ where: { id: ids[0]! } })
  expect(endedAt!.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
})

test('limits the number and length of log entries and keeps each entry on one line', async () => {
  const database = await openOwnTestDatabase()
  const { projectId, ids } = await createTestDeployments(database, 1)
  const claim = await claimNext(database)
  await noteDeployment(database, claim!, { line: `a\nb ${'x'.repeat(5_000)}` })
  const [line = ''] = (await getDeployment(database, { projectId, statusId: ids[0]! })).logs
  expect([line.includes('\n'), line.length < 1_100]).toEqual([false, true])
  await database.prisma.$executeRaw`
    UPDATE deployments SET logs = (SELECT jsonb_agg('x'::text) FROM generate_series(1, 300)) WHERE id = ${ids[0]}`
  await noteDeployment(database, claim!, { line: 'One too many.' })
  const { logs, summary } = await getDeployment(database, { projectId, statusId: ids[0]! })
  expect([logs.length, summary]).toEqual([300, 'One too many.'])
})
