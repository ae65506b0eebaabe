import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createTestRun } from '@corrigenda/core/internal/test-support/create-test-run'
import { revokeKey } from '@corrigenda/core/keys'
import { deleteProject } from '@corrigenda/core/projects'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'

type Api = Awaited<ReturnType<typeof openTestApi>>

/** Watches the statements that the API sends through its pool without Prisma. */
function watchStatements({ database }: Api, change?: (text: string) => Promise<void>) {
  const sent: string[] = []
  const { pool } = database
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const spy = vi.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
    const { text = '' } = args[0] as { text?: string }
    if (!text.includes('FROM jobs') && !text.includes('JOIN api_keys')) return query(...args)
    sent.push(text.includes('api_keys') ? 'keys' : 'page')
    await change?.(text)
    return query(...args)
  }) as never)
  onTestFinished(() => spy.mockRestore())
  return sent
}

test('requests that are authenticated with one statement get their own answers', async () => {
  const api = await openTestApi()
  const { database, project, makeKey, makeProject } = api
  const { jobId } = await createTestRun(database, project.id)
  const foreign = await makeProject()
  const { jobId: foreignJob } = await createTestRun(database, foreign.id)
  const expired = await makeKey(project.id, { expiresInDays: -1 })
  const revoked = await makeKey(project.id)
  await revokeKey({ ...database, audit: COMMAND_LINE }, revoked.id)
  const deleted = await makeProject()
  const orphan = await makeKey(deleted.id)
  await deleteProject({ ...database, audit: COMMAND_LINE }, { projectId: deleted.id, name: 'test' })
  const keys = {
    valid: api.key,
    restricted: (await makeKey(project.id, { allowedCidrs: ['10.0.0.0/8'] })).key,
    writer: (await makeKey(project.id, { scopes: ['jobs:write'] })).key,
    foreign: (await makeKey(foreign.id)).key,
  }
  // Stores when the keys were used, which is not part of the comparison.
  for (const key of Object.values(keys)) await api.get('/v1/me', { authorization: `Bearer ${key}` })
  const poll = (key: string, { job = jobId, address = '10.1.2.3', projectId = project.id } = {}) =>
    api.get(`/v2/agent/${projectId}/job/${job}`, { authorization: `Bearer ${key}`, 'x-forwarded-for': address })

  const sent = watchStatements(api)
  const answers = await Promise.all([
    poll(keys.valid),
    poll(keys.restricted),
    poll(keys.restricted, { address: '192.0.2.1' }),
    poll(keys.writer),
    poll(keys.foreign),
    poll(keys.foreign, { projectId: foreign.id }),
    poll(keys.foreign, { projectId: foreign.id, job: foreignJob }),
    poll(keys.valid, { job: foreignJob }),
    poll(keys.valid, { job: 'job_%00' }),
    poll(keys.valid, { projectId: foreign.id }),
    poll(expired.key),
    poll(revoked.key),
    poll(orphan.key, { projectId: deleted.id }),
    poll('cgd_x'),
  ])
  expect(answers.map(({ statusCode, headers }) => `${statusCode} ${headers['x-error-code'] ?? ''}`)).toEqual([
    '200 ',
    '200 ',
    '403 address_not_allowed',
    '403 scope_missing',
    '404 not_found',
    '404 not_found',
    '200 ',
    '404 not_found',
    '404 not_found',
    '404 not_found',
    '401 unauthorized',
    '401 unauthorized',
    '401 unauthorized',
    '401 unauthorized',
  ])
  expect([answers[0]?.json().id, answers[6]?.json().id]).toEqual([jobId, foreignJob])
  expect(sent.length).toBeLessThanOrEqual(3)
})

test('a failed statement fails the requests that share it, with 503, and no other requests', async () => {
  const api = await openTestApi()
  const { jobId } = await createTestRun(api.database, api.project.id)
  const path = `/v2/agent/${api.project.id}/job/${jobId}`
  expect((await api.get(path)).statusCode).toBe(200)
  let failures = 1
  const sent = watchStatements(api, async () => {
    if (failures-- <= 0) return
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  const shared = [1, 2, 3].map(async () => (await api.get(path)).statusCode)
  await expect.poll(() => sent.length).toBe(1)
  expect((await api.get(path)).statusCode).toBe(200)
  expect(await Promise.all(shared)).toEqual([503, 503, 503])
  expect(sent).toHaveLength(2)
})

test('a client that disconnects does not affect the requests that share its statement', async () => {
  const api = await openTestApi()
  const { jobId } = await createTestRun(api.database, api.project.id)
  const url = `/v2/agent/${api.project.id}/job/${jobId}`
  await api.get(url)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const sent = watchStatements(api, () => released)
  const ask = () => {
    const request = http.get({ port, path: url, agent: false, headers: { authorization: `Bearer ${api.key}` } })
    const status = new Promise<number | undefined>((resolve) => {
      request.on('response', (response) => resolve(response.resume().statusCode))
      request.on('error', () => resolve(undefined))
    })
    return { request, status }
  }
  const asked = [ask(), ask(), ask()]
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  const count = () => new Promise((resolve) => api.app.server.getConnections((_, number) => resolve(number)))
  await expect.poll(count).toBe(3)
  asked[0]?.request.destroy()
  await expect.poll(count).toBe(2)
  release()
  expect(await Promise.all(asked.map(({ status }) => status))).toEqual([undefined, 200, 200])
  expect((await api.get(url)).statusCode).toBe(200)
})

test('a creation reads its project with the key, at all paths', async () => {
  const api = await openTestApi()
  const other = await api.makeProject()
  await api.post({ prompt: 'x' })
  const query = vi.spyOn(api.database.pool, 'query')
  onTestFinished(() => query.mockRestore())
  for (const path of ['/v2/agent/:id/job', '/api/agent/v2/:id/job', '/v1/agent/:id/job']) {
    const post = (projectId: string) => {
      const payload = path.startsWith('/v1')
        ? { branch: 'b', messages: [{ role: 'user', content: 'x' }] }
        : { prompt: 'x' }
      const headers = { authorization: `Bearer ${api.key}` }
      return api.app.inject({
        method: 'POST',
        url: path.replace(':id', projectId),
        headers,
        payload,
        payloadAsStream: true,
      })
    }
    query.mockClear()
    expect((await post(api.project.id)).statusCode, path).toBe(path.startsWith('/v1') ? 200 : 201)
    const texts = query.mock.calls.map(([sent]) => String((sent as { text?: string }).text))
    expect(texts.filter((text) => text.includes('project_spend'))).toEqual([expect.stringContaining('FROM api_keys')])
    expect((await post(other.id)).statusCode, path).toBe(404)
  }
})

test('requests for the same page that wait at the same time share its statement, and others do not', async () => {
  const api = await openTestApi()
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const { jobId } = await createTestRun(api.database, api.project.id)
  const { jobId: otherJob } = await createTestRun(api.database, other.id)
  const list = async (query: string, projectId = api.project.id, as = api.key) => {
    const response = await api.get(`/v2/agent/${projectId}/jobs${query}`, { authorization: `Bearer ${as}` })
    return response.json().jobs.map(({ id }: { id: string }) => id)
  }
  await Promise.all([list(''), list('', other.id, key)])
  const sent = watchStatements(api)
  const lists = [list(''), list(''), list('?status=failed'), list('', other.id, key), list('')]
  expect(await Promise.all(lists)).toEqual([[jobId], [jobId], [], [otherJob], [jobId]])
  expect(sent.filter((kind) => kind === 'page')).toHaveLength(3)
})
