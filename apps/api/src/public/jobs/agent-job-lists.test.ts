import { type AgentJob, JobPage } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

async function open(prompts: readonly string[] = []) {
  const api = await openTestApi()
  const jobs: AgentJob[] = []
  for (const prompt of prompts) jobs.push((await api.post({ prompt })).json())
  const path = `/v2/agent/${api.project.id}/jobs`
  const list = (query: Record<string, string> = {}) => api.get(`${path}?${new URLSearchParams(query)}`)
  const page = async (query: Record<string, string> = {}) => JobPage.parse((await list(query)).json())
  const ids = async (query: Record<string, string>) => (await page(query)).jobs.map((job) => job.id)
  return { ...api, jobs, path, list, page, ids }
}

test('both paths list jobs newest first, with the same content as when a job is read individually', async () => {
  const api = await open(['one', 'two'])
  const response = await api.list()
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(response.json()).toEqual({ jobs: [...api.jobs].reverse(), nextCursor: null })
  expect((await api.get(`/api/agent/v2/${api.project.id}/jobs`)).body).toBe(response.body)
})

test('a cursor works with filters and remains valid after its job is archived', async () => {
  const api = await open(['1', '2', '3'])
  for (const job of api.jobs) await endJob(api.database, job.id)
  const first = await api.page({ status: 'completed', limit: '1' })
  const last = api.jobs[2]!.id
  expect(first.jobs.map((job) => job.id)).toEqual([last])
  await api.app.inject({
    method: 'POST',
    url: `/v2/agent/${api.project.id}/job/${last}/archive`,
    headers: { authorization: `Bearer ${api.key}` },
  })
  expect(await api.ids({ status: 'completed', cursor: first.nextCursor ?? '' })).toEqual(
    [api.jobs[1], api.jobs[0]].map((job) => job!.id),
  )
})

const invalid: readonly (readonly [string, Record<string, string>])[] = [
  ['a malformed cursor', { cursor: 'x' }],
  ['a cursor with invalid content', { cursor: Buffer.from('1 job_x').toString('base64url') }],
  [
    'a cursor with a time out of range',
    { cursor: Buffer.from(`99999999999999999 job_${'0'.repeat(26)}`).toString('base64url') },
  ],
  ['a limit of 0', { limit: '0' }],
  ['a limit of 101', { limit: '101' }],
  ['a fractional limit', { limit: '1.5' }],
  ['a limit that is not a number', { limit: 'many' }],
  ['an unknown status', { status: 'cancelled' }],
  ['an unknown outcome', { outcome: 'blocked' }],
  ['empty text', { q: '' }],
  ['text that is too long', { q: 'x'.repeat(201) }],
  ['text that contains NUL', { q: 'a\u0000' }],
  ['an invalid time', { createdAfter: 'yesterday' }],
]

test('returns 400 for an invalid query', async () => {
  const api = await open()
  for (const [name, query] of invalid) {
    const { statusCode, headers } = await api.list(query)
    expect([name, statusCode, headers['x-error-code']]).toEqual([name, 400, 'invalid_request'])
  }
})

test('accepts limits of 1 and 100', async () => {
  const api = await open(['1', '2'])
  expect((await api.page({ limit: '1' })).jobs).toHaveLength(1)
  expect((await api.page({ limit: '100' })).jobs).toHaveLength(2)
})

test("a key lists only its own project's jobs, and receives 404 for another project", async () => {
  const api = await open(['secret prompt'])
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const ask = (projectId: string, headers = {}) =>
    api.get(`/v2/agent/${projectId}/jobs`, { authorization: `Bearer ${key}`, ...headers })
  expect((await ask(other.id)).json()).toEqual({ jobs: [], nextCursor: null })
  expectError(await ask(api.project.id), 404, 'not_found')
  const { nextCursor } = await api.page({ limit: '1' })
  expect(nextCursor).toBeNull()
})

test('archives a job that has ended, permanently and idempotently', async () => {
  const api = await open(['1'])
  const [job] = api.jobs as [AgentJob]
  const path = `/v2/agent/${api.project.id}/job/${job.id}`
  const archive = (url = path, key = api.key) =>
    api.app.inject({ method: 'POST', url: `${url}/archive`, headers: { authorization: `Bearer ${key}` } })
  expectError(await archive(), 409, 'job_active')
  await endJob(api.database, job.id)
  const first = await archive()
  expect(first.statusCode).toBe(200)
  expect(first.json()).toMatchObject({ status: 'archived', outcome: 'no_changes', prLink: null })
  expect(Date.parse(first.json().archivedAt)).toBeGreaterThanOrEqual(Date.parse(first.json().finishedAt))
  const again = await archive(`/api/agent/v2/${api.project.id}/job/${job.id}`)
  expect([again.statusCode, again.body]).toEqual([200, first.body])
  expect(await api.ids({ status: 'archived' })).toEqual([job.id])
  expectError(await archive(`/v2/agent/${api.project.id}/job/job_${'0'.repeat(26)}`), 404, 'not_found')
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  expectError(await archive(path, reader.key), 403, 'scope_missing')
})

test('If-None-Match returns 304 for a list of tags, a weak tag and a wildcard, and 200 after a change', async () => {
  const api = await open(['1'])
  const path = `/v2/agent/${api.project.id}/job/${api.jobs[0]!.id}`
  const etag = String((await api.get(path)).headers.etag)
  for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
    const response = await api.get(path, { 'if-none-match': tag })
    expect([response.statusCode, response.body, response.headers.etag], tag).toEqual([304, '', etag])
  }
  expect((await api.get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200)
  await endJob(api.database, api.jobs[0]!.id)
  const changed = await api.get(path, { 'if-none-match': etag })
  expect([changed.statusCode, changed.headers.etag === etag]).toEqual([200, false])
})

test('accepts times in the years 0000 and 9999', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const list = (query: string) => api.get(`/v2/agent/${api.project.id}/jobs?${query}`)
  for (const time of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59']) {
    const response = await list(`createdAfter=${encodeURIComponent(time)}`)
    expect([time, response.statusCode, response.json().jobs?.[0]?.id]).toEqual([time, 200, id])
    expect((await list(`createdBefore=${encodeURIComponent(time)}`)).json()).toEqual({ jobs: [], nextCursor: null })
  }
  const last = '9999-12-31T23:59:59-23:59'
  expect((await list(`createdBefore=${last}`)).json().jobs).toHaveLength(1)
  expect((await list(`createdAfter=${last}`)).json().jobs).toEqual([])
  const cursor = Buffer.from(`99999999999999 ${id}`).toString('base64url')
  expect((await list(`cursor=${cursor}`)).statusCode).toBe(200)
})
