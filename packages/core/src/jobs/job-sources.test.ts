import { CreateAgentJobRequest, type JobSource } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { claim, silent } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob } from './create-job.ts'
import { retryJob } from './retry-job.ts'

async function open(...names: string[]) {
  const database = openTestDatabase(4)
  const { id: projectId } = await createTestProject(database)
  const quota = { limit: 100, windowSeconds: 3600 }
  const deps = { ...database, queue: { wakeWorker: async () => {} }, log: silent, defaultModel: 'm-1', quota }
  const setSources = async (...names: string[]) => {
    const sources = names.map((name) => ({ name, repository: `https://github.com/acme/${name}` }))
    await database.pool.query('UPDATE projects SET settings = $2 WHERE id = $1', [projectId, { sources }])
  }
  await setSources(...names)
  const create = async (sources: readonly JobSource[] | undefined) => {
    const request = CreateAgentJobRequest.parse({ prompt: 'Document it.', sources })
    const { id } = (await createJob(deps, { projectId, request, idempotencyKey: null })).job
    return database.prisma.job.findUniqueOrThrow({ where: { id }, include: { runs: true } })
  }
  const retry = async (id: string) => {
    await cancelJob(deps, { projectId, id })
    const again = (await retryJob(deps, { projectId, id, idempotencyKey: null })).job.id
    return database.prisma.job.findUniqueOrThrow({ where: { id: again } })
  }
  return { database, create, retry, setSources }
}

test('keeps the sources of a job for the worker and for a retry', async () => {
  const { database, create, retry } = await open('api', 'web')
  const sources = [{ name: 'api', ref: 'v2', since: 'last-job' }, { name: 'web', pullRequest: 7 }, { name: 'docs' }]
  const job = await create(sources)
  expect(job.options).toEqual({ sources })
  expect((await claim(database, job.runs[0]!.id))?.options).toEqual({ sources })
  expect((await retry(job.id)).options).toEqual({ sources })
  expect((await create([])).options).toEqual({ sources: [] })
  expect((await create(undefined)).options).toEqual({})
})

test('rejects a source that the project does not have, also in a retry', async () => {
  const { create, retry, setSources } = await open('api')
  const refusal = (names: string) => ({
    code: 'invalid_request',
    message: `The project has no source "web". Its sources are ${names}. An owner can add sources in the project settings.`,
  })
  await expect(create([{ name: 'api' }, { name: 'web' }])).rejects.toMatchObject(refusal('docs, api'))
  await setSources('api', 'web')
  const { id } = await create([{ name: 'web' }])
  await setSources()
  await expect(retry(id)).rejects.toMatchObject(refusal('docs'))
})

test.each([
  [[{ name: 'api', ref: 'x', pullRequest: 1 }]],
  [[{ name: 'api', since: 'x', pullRequest: 1 }]],
  [[{ name: 'api' }, { name: 'api', ref: 'x' }]],
  [[{ name: 'api', ref: '--upload-pack=x' }]],
  [[{ name: 'api', ref: 'a:b' }]],
  [[{ name: 'api', since: '' }]],
  [[{ name: 'api', repository: 'https://github.com/acme/other' }]],
  [['https://github.com/acme/other']],
  [[{ name: 'https://github.com/acme/other' }]],
])('does not accept %j', (sources) => {
  expect(CreateAgentJobRequest.safeParse({ prompt: 'x', sources }).success).toBe(false)
})
