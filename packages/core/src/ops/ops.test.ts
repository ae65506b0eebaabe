import { expect, test } from 'vitest'
import { claim, createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { recordHeartbeat } from '../workers/record-heartbeat.ts'
import { countMigrations, getOpsState } from './get-ops-state.ts'
import { getSetupProgress } from './get-setup-progress.ts'

const beat = (id: string, modelKind: 'anthropic' | 'rehearsal') => ({
  id,
  host: 'h',
  pid: 1,
  version: '1',
  slots: 4,
  busy: 0,
  queue: 'redis' as const,
  modelKind,
  modelBaseUrl: 'https://models.example',
  models: [],
})
const quota = { limit: 10, windowSeconds: 3600 }
const queue = { countWakeUps: async () => 0 }
const input = { version: '9.9.9', backend: 'redis' } as const

test('reports waiting, active and completed work, failures by code with the newest job, and quota use', async () => {
  const database = await openOwnTestDatabase()
  const { prisma } = database
  const project = await createTestProject(database)
  const quiet = await createTestProject(database)
  const make = () => createTestRun(database, project.id)
  const [held, old, young] = [await make(), await make(), await make()]
  await claim(database, held.runId)
  await prisma.run.update({ where: { id: old.runId }, data: { nextRunAt: new Date(Date.now() - 90_000) } })
  await prisma.run.update({ where: { id: young.runId }, data: { nextRunAt: new Date(Date.now() + 60_000) } })
  const ended = async (
    hoursAgo: number,
    outcome: 'failed' | 'cancelled' | 'no_changes' | 'needs_input',
    code: string | null,
  ) => {
    const { jobId, runId } = await make()
    const finishedAt = new Date(Date.now() - hoursAgo * 3_600_000)
    const status = outcome === 'no_changes' || outcome === 'needs_input' ? 'completed' : 'failed'
    await prisma.run.update({ where: { id: runId }, data: { active: false, endedAt: finishedAt } })
    const facts = { status, outcome, phase: null, finishedAt, failureCode: code, failureMessage: code } as const
    await prisma.job.update({ where: { id: jobId }, data: facts })
    return jobId
  }
  await ended(25, 'failed', 'model_error')
  await ended(3, 'failed', 'model_error')
  const newest = await ended(1, 'failed', 'model_error')
  await ended(2, 'failed', 'push_rejected')
  await ended(1, 'cancelled', 'cancelled')
  await ended(1, 'no_changes', null)
  await ended(1, 'needs_input', null)

  const state = await getOpsState({ prisma, queue, quota }, input)
  expect(state.queue).toMatchObject({ backend: 'redis', reachable: true, waiting: 2, active: 1 })
  expect(state.queue.oldestWaitingSeconds).toBeGreaterThanOrEqual(90)
  expect(state.queue.oldestWaitingSeconds).toBeLessThan(150)
  expect(state.last24h).toEqual({ completed: 2, failed: 3, cancelled: 1 })
  expect(state.failures.map(({ code, count, lastJobId }) => [code, count, lastJobId])).toEqual([
    ['model_error', 2, newest],
    ['push_rejected', 1, expect.any(String)],
  ])
  expect(state.rates).toEqual([{ projectId: project.id, name: 'test', limit: 10, used: 10, windowSeconds: 3600 }])
  expect(quiet.id).not.toBe(project.id)
  expect(state.version).toBe('9.9.9')

  const away = await getOpsState(
    { prisma, quota, queue: { countWakeUps: () => Promise.reject(new Error('away')) } },
    input,
  )
  expect(away.queue).toMatchObject({ reachable: false, waiting: 2 })
})

test('lists the pending migrations', async () => {
  const { prisma } = await openOwnTestDatabase()
  const before = await countMigrations({ prisma })
  expect(before.pending).toEqual([])
  await prisma.$executeRaw`DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_baseline'`
  const after = await countMigrations({ prisma })
  expect(after.applied).toBe(before.applied - 1)
  expect(after.pending).toEqual([expect.stringMatching(/_baseline$/)])
})

test('reports progress towards the first pull request', async () => {
  const database = await openOwnTestDatabase()
  const { prisma } = database
  const { id } = await createTestProject(database)
  const readProgress = () => getSetupProgress({ prisma }, id)
  expect(await readProgress()).toEqual({ repository: 'untested', model: 'no_worker', key: false, job: null })
  await recordHeartbeat({ prisma }, beat('w-1', 'rehearsal'))
  expect(await readProgress()).toMatchObject({ model: 'rehearsal' })
  await recordHeartbeat({ prisma }, beat('w-2', 'anthropic'))
  expect(await readProgress()).toMatchObject({ model: 'ready' })
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() - interval '1 minute'`
  expect(await readProgress()).toMatchObject({ model: 'no_worker' })

  const key = { projectId: id, name: 'k', secretHash: Buffer.alloc(32), scopes: ['jobs:read'] }
  await prisma.apiKey.create({ data: { ...key, id: 'aaaaaaaaaaaa', revokedAt: new Date() } })
  await prisma.apiKey.create({ data: { ...key, id: 'bbbbbbbbbbbb', expiresAt: new Date(Date.now() - 1000) } })
  expect(await readProgress()).toMatchObject({ key: false })
  await prisma.apiKey.create({ data: { ...key, id: 'cccccccccccc' } })
  expect(await readProgress()).toMatchObject({ key: true })

  const { jobId, runId } = await createTestRun(database, id)
  await createTestRun(database, id)
  expect(await readProgress()).toMatchObject({
    repository: 'untested',
    job: { id: jobId, status: 'active', prLink: null },
  })
  await prisma.run.update({ where: { id: runId }, data: { baseCommit: '1', startedAt: new Date() } })
  expect(await readProgress()).toMatchObject({ repository: 'passed' })
  const tested = (at: number, ok: boolean) => ({
    projectId: id,
    status: 'done',
    ok,
    createdAt: new Date(at),
    endedAt: new Date(at),
  })
  await prisma.repositoryTest.create({ data: { id: 'rpt_1', ...tested(Date.now() - 60_000, false) } })
  expect(await readProgress()).toMatchObject({ repository: 'passed' })
  await prisma.repositoryTest.create({ data: { id: 'rpt_2', ...tested(Date.now() + 1_000, false) } })
  expect(await readProgress()).toMatchObject({ repository: 'failed' })
  await prisma.repositoryTest.create({ data: { id: 'rpt_3', ...tested(Date.now() + 2_000, true) } })
  expect(await readProgress()).toMatchObject({ repository: 'passed' })
})
