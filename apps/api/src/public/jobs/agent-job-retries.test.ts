import { AgentJob } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const REQUEST = {
  prompt: 'Fix it. 你好',
  model: 'claude-opus-5-5',
  ref: 'next',
  title: 'T',
  draft: true,
  labels: ['docs'],
  metadata: { ticket: 'DOC-1' },
}

async function open(limit = 100) {
  const api = await openTestApi({ quota: { limit, windowSeconds: 3600 } })
  const retry = (id: string, headers: Record<string, string> = {}, prefix = '/v2/agent') =>
    api.app.inject({
      method: 'POST',
      url: `${prefix}/${api.project.id}/job/${id}/retry`,
      headers: { authorization: `Bearer ${api.key}`, ...headers },
    })
  const createEnded = async (): Promise<AgentJob> => {
    const job = (await api.post(REQUEST)).json()
    await endJob(api.database, job.id)
    return job
  }
  return { ...api, retry, createEnded }
}

test('a retry creates a new job that has the same content and refers to the original job', async () => {
  const api = await open()
  const first = await api.createEnded()
  const response = await api.retry(first.id)
  expect([response.statusCode, response.headers['content-type']]).toEqual([201, 'application/json; charset=utf-8'])
  const job = AgentJob.parse(response.json())
  expect(job.id).not.toBe(first.id)
  expect(job).toMatchObject({
    status: 'active',
    phase: 'queued',
    prLink: null,
    retryOf: first.id,
    model: 'claude-opus-5-5',
    metadata: { ticket: 'DOC-1' },
  })
  const read = (id: string) =>
    api.database.prisma.job.findUniqueOrThrow({ where: { id }, include: { runs: { orderBy: { seq: 'asc' } } } })
  const [old, fresh] = [await read(first.id), await read(job.id)]
  const content = ({ model, baseBranch, options, metadata, runs }: typeof old) => ({
    model,
    baseBranch,
    options,
    metadata,
    prompt: runs[0]?.prompt,
  })
  expect(content(fresh)).toEqual(content(old))
  expect(fresh.options).toEqual({ title: 'T', draft: true, labels: ['docs'] })
  expect((await api.get(`/v2/agent/${api.project.id}/job/${job.id}`)).json()).toEqual(job)
})

test('only jobs that have ended can be retried, including failed jobs, archived jobs and retries', async () => {
  const api = await open()
  const job = (await api.post({ prompt: 'x' })).json()
  expectError(await api.retry(job.id), 409, 'job_active')
  await endJob(api.database, job.id, { kind: 'failed', code: 'impossible', message: 'No.' })
  const again = (await api.retry(job.id)).json()
  expect(again.retryOf).toBe(job.id)
  await endJob(api.database, again.id)
  await api.app.inject({
    method: 'POST',
    url: `/v2/agent/${api.project.id}/job/${again.id}/archive`,
    headers: { authorization: `Bearer ${api.key}` },
  })
  expect((await api.retry(again.id, {}, '/api/agent/v2')).json().retryOf).toBe(again.id)
})

test('concurrent retries use a separate quota of the same size, and do not affect new jobs', async () => {
  const api = await open(3)
  const first = await api.createEnded()
  const responses = await Promise.all(Array.from({ length: 12 }, () => api.retry(first.id)))
  expect(responses.filter((response) => response.statusCode === 201)).toHaveLength(3)
  const refused = responses.filter((response) => response.statusCode !== 201)
  for (const response of refused) expectError(response, 429, 'quota_exceeded')
  expect(refused[0]!.json().error).toMatch(/reached its limit of 3 retries per hour/)
  expect(refused[0]!.headers['ratelimit-policy']).toBe('"retry";q=3;w=3600')
  expect(refused[0]!.headers.ratelimit).toMatch(/^"retry";r=0;t=\d+$/)
  expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(3500)
  const created = await api.post({ prompt: 'x' })
  expect([created.statusCode, created.headers.ratelimit]).toEqual([201, expect.stringMatching(/^"create";r=1;/)])
  await api.post({ prompt: 'x' })
  expectError(await api.post({ prompt: 'x' }), 429, 'quota_exceeded')
})

test('a repeated Idempotency-Key replays the same response, and returns 422 if it is used to retry a different job or to create one', async () => {
  const api = await open()
  const [first, second] = [await api.createEnded(), await api.createEnded()]
  const headers = { 'idempotency-key': 'again-1' }
  const response = await api.retry(first.id, headers)
  const replay = await api.retry(first.id, headers, '/api/agent/v2')
  expect([replay.statusCode, replay.body, replay.headers['idempotent-replayed']]).toEqual([201, response.body, 'true'])
  expect(replay.headers.ratelimit).toBeUndefined()
  // The replay did not create a second retry.
  expect(await api.database.prisma.job.count({ where: { retryOf: first.id } })).toBe(1)
  expectError(await api.retry(second.id, headers), 422, 'idempotency_mismatch')
  expectError(await api.post({ prompt: 'x' }, { headers }), 422, 'idempotency_mismatch')
  const key = { 'idempotency-key': 'create-1' }
  await api.post({ prompt: 'x' }, { headers: key })
  expectError(await api.retry(first.id, key), 422, 'idempotency_mismatch')
  expectError(await api.retry(first.id, { 'idempotency-key': 'k'.repeat(256) }), 400, 'invalid_request')
})

test('concurrent retries with one Idempotency-Key create one job', async () => {
  const api = await open()
  const first = await api.createEnded()
  const headers = { 'idempotency-key': 'parallel' }
  const responses = await Promise.all(Array.from({ length: 8 }, () => api.retry(first.id, headers)))
  for (const response of responses) expect([201, 409]).toContain(response.statusCode)
  expect(new Set(responses.filter((r) => r.statusCode === 201).map((r) => r.body)).size).toBe(1)
  expect(await api.database.prisma.job.count({ where: { retryOf: first.id } })).toBe(1)
})

test("a retry requires the scope jobs:write, and returns 404 for another project's job", async () => {
  const api = await open()
  const first = await api.createEnded()
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  expectError(await api.retry(first.id, { authorization: `Bearer ${reader.key}` }), 403, 'scope_missing')
  expectError(await api.retry(`job_${'0'.repeat(26)}`), 404, 'not_found')
  expectError(await api.retry('nonsense'), 404, 'not_found')
  const other = await api.makeProject()
  const otherKey = await api.makeKey(other.id)
  const foreign = await api.app.inject({
    method: 'POST',
    url: `/v2/agent/${other.id}/job/${first.id}/retry`,
    headers: { authorization: `Bearer ${otherKey.key}`, 'idempotency-key': 'again-1' },
  })
  expectError(foreign, 404, 'not_found')
})
