import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { endRun } from '../runs/finish-run.ts'
import { createTestRun, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openOwnTestDatabase, openTestDatabase } from '../test-support/open-test-database.ts'
import { recordHeartbeat } from '../workers/record-heartbeat.ts'
import { createJob } from './create-job.ts'
import { getJobRequest } from './get-job-request.ts'
import { listModels } from './list-models.ts'
import { retryJob } from './retry-job.ts'

const beat = (id: string, models: readonly string[], modelKind: 'anthropic' | 'rehearsal' = 'anthropic') => ({
  id,
  host: 'h',
  pid: 1,
  version: '1',
  slots: 1,
  busy: 0,
  queue: 'redis' as const,
  modelKind,
  models,
  modelBaseUrl: 'https://models.example',
})

test('offers the default, the targets of aliases, and the models of workers that are online', async () => {
  const database = await openOwnTestDatabase()
  const { id } = await createTestProject(database)
  const deps = { ...database, defaultModel: 'm-1', modelAliases: { fast: 'm-2', small: 'm-2' } }
  await recordHeartbeat(database, beat('w-1', ['m-1', 'm-3']))
  await recordHeartbeat(database, beat('w-2', ['gone']))
  await database.pool.query(`UPDATE workers SET seen_at = now() - interval '1 hour' WHERE id = 'w-2'`)
  const models = [
    { id: 'm-1', aliases: [] },
    { id: 'm-2', aliases: ['fast', 'small'] },
    { id: 'm-3', aliases: [] },
  ]
  expect(await listModels(deps, id)).toEqual({ default: 'm-1', models, allowsOther: true })
  expect(await listModels({ ...deps, allowedModels: ['m-1', 'm-9'] }, id)).toEqual({
    default: 'm-1',
    allowsOther: false,
    models: [
      { id: 'm-1', aliases: [] },
      { id: 'm-9', aliases: [] },
    ],
  })
  // The project's own model is the default of its jobs.
  const setModel = (model: string) =>
    database.prisma.project.update({ where: { id }, data: { settings: { policy: { model } } } })
  await setModel('fast')
  expect(await listModels(deps, id)).toMatchObject({ default: 'm-2', models: [models[1], models[0], models[2]] })
  // An alias of the hosted API that this service does not know.
  await setModel('opus')
  expect((await listModels(deps, id)).default).toBe('m-1')
  await expect(listModels(deps, 'prj_none')).rejects.toMatchObject({ code: 'not_found' })
})

test('offers only the demo model while all workers are demo workers', async () => {
  const database = await openOwnTestDatabase()
  const { id } = await createTestProject(database)
  const deps = { ...database, defaultModel: 'rehearsal', modelAliases: { sonnet: 'rehearsal' } }
  expect((await listModels(deps, id)).allowsOther).toBe(true)
  await recordHeartbeat(database, beat('w-1', ['rehearsal'], 'rehearsal'))
  expect(await listModels(deps, id)).toEqual({
    default: 'rehearsal',
    allowsOther: false,
    models: [{ id: 'rehearsal', aliases: ['sonnet'] }],
  })
  await recordHeartbeat(database, beat('w-2', [], 'anthropic'))
  expect((await listModels(deps, id)).allowsOther).toBe(true)
})

test('a request for a model that no worker has is refused with the models, also as a retry', async () => {
  const database = await openOwnTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const quota = { limit: 10, windowSeconds: 3600 }
  const queue = { wakeWorker: async () => {} }
  const deps = {
    ...database,
    queue,
    log: silent,
    quota,
    audit: COMMAND_LINE,
    defaultModel: 'rehearsal',
    modelAliases: { sonnet: 'rehearsal' },
  }
  const create = (model: string) =>
    createJob(deps, { projectId, request: { prompt: 'x', model }, idempotencyKey: null })
  const { id } = (await create('m-9')).job as { id: string }
  await database.prisma.$transaction((tx) =>
    tx.run
      .findFirstOrThrow({ where: { jobId: id } })
      .then(({ id: runId }) => endRun(tx, { runId, jobId: id }, { kind: 'cancelled' })),
  )
  await recordHeartbeat(database, beat('w-1', ['rehearsal'], 'rehearsal'))
  const refusal = { code: 'invalid_request', message: expect.stringMatching(/"m-9" is not allowed\. Use rehearsal,/) }
  await expect(create('m-9')).rejects.toMatchObject(refusal)
  await expect(retryJob(deps, { projectId, id, idempotencyKey: null })).rejects.toMatchObject(refusal)
  expect((await create('sonnet')).job).toMatchObject({ model: 'rehearsal' })
  // Its model API can have other models.
  await recordHeartbeat(database, beat('w-2', ['m-1'], 'anthropic'))
  expect((await create('m-9')).job).toMatchObject({ model: 'm-9' })
})

test('returns the request of a job, without a branch that it has pushed, and only in its own project', async () => {
  const database = openTestDatabase()
  const { projectId } = await createTestRun(database)
  const quota = { limit: 10, windowSeconds: 3600 }
  const deps = { ...database, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm-1', quota }
  const request = {
    prompt: 'Fix the links.',
    model: 'm-2',
    ref: 'next',
    draft: true,
    branch: 'corrigenda/x',
    title: 'T',
    labels: ['docs'],
    metadata: { team: 'docs' },
    dedupe: false,
  }
  const { job } = await createJob(deps, { projectId, request, idempotencyKey: null })
  const { id } = job as { id: string }
  const { dedupe: _, ...stored } = request
  expect(await getJobRequest(database, { projectId, id })).toEqual(stored)
  const renamed = await getJobRequest({ ...database, modelAliases: { 'm-2': 'm-3' } }, { projectId, id })
  expect(renamed.model).toBe('m-3')
  await database.prisma.job.update({ where: { id }, data: { headCommit: 'c'.repeat(40) } })
  const { branch, ...rest } = stored
  expect(await getJobRequest(database, { projectId, id })).toEqual(rest)
  const other = await createTestRun(database)
  await expect(getJobRequest(database, { projectId: other.projectId, id })).rejects.toMatchObject({
    code: 'not_found',
  })
})
