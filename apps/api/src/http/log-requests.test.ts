import { expect, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'

test('writes one line per request with its ids, client, status and code, and without its contents', async () => {
  const api = await openTestApi()
  const { project, lines } = api
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'req-1', authorization: `Bearer ${api.key}` }
  const created = await api.post({ prompt: 'Fix the secret sentence.' }, { headers })
  const { id } = created.json()
  const url = `/v2/agent/${project.id}/job/${id}?secret=in-the-query`
  await api.app.inject({ method: 'GET', url, headers: { ...headers, 'x-request-id': 'req-2' } })
  await api.app.inject({ method: 'GET', url, headers: { 'x-request-id': 'req-3' } })
  const odd = '/v2/agent/sk-not-an-id/job/another-secret'
  await api.app.inject({ method: 'GET', url: odd, headers: { ...headers, 'x-request-id': 'req-4' } })
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  const job = '/v2/agent/:projectId/job'
  expect(entries).toEqual([
    expect.objectContaining({
      requestId: 'req-1',
      method: 'POST',
      route: job,
      status: 201,
      ip: '203.0.113.7',
      projectId: project.id,
      jobId: id,
    }),
    expect.objectContaining({ requestId: 'req-2', route: `${job}/:id`, status: 200, projectId: project.id, jobId: id }),
    expect.objectContaining({ requestId: 'req-3', status: 401, code: 'unauthorized', jobId: id }),
    expect.objectContaining({ requestId: 'req-4', status: expect.any(Number), code: expect.any(String) }),
  ])
  expect(Object.keys(entries[0])).not.toContain('code')
  expect(lines.join('\n')).not.toMatch(/secret|sk-not|Fix the/)
})
