import { expect, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openTestApi } from '../test-support/open-test-api.ts'

test('HEAD returns the GET response without a body, and unsupported methods return 405 with an Allow header', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}`
  const head = await api.app.inject({ method: 'HEAD', url: path, headers: { authorization: `Bearer ${api.key}` } })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect((await api.app.inject({ method: 'HEAD', url: '/healthz' })).statusCode).toBe(200)
  for (const method of ['OPTIONS', 'PATCH', 'PUT'] as const) {
    const response = await api.app.inject({ method, url: path })
    expectError(response, 405, 'method_not_allowed')
    expect(response.headers.allow).toBe('DELETE, GET, HEAD')
  }
})

test('each job path and its alias support only the documented methods', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const authorization = `Bearer ${api.key}`
  const allowed = { events: 'GET, HEAD', changes: 'GET, HEAD', retry: 'POST', cancel: 'POST', archive: 'POST' }
  for (const prefix of ['/v2/agent', '/api/agent/v2']) {
    for (const [name, allow] of Object.entries(allowed)) {
      const url = `${prefix}/${api.project.id}/job/${id}/${name}`
      const method = allow === 'POST' ? 'GET' : 'POST'
      const refused = await api.app.inject({ method, url, headers: { authorization } })
      expectError(refused, 405, 'method_not_allowed')
      expect(refused.headers.allow, url).toBe(allow)
      if (allow === 'POST') continue
      const head = await api.app.inject({ method: 'HEAD', url, headers: { authorization } })
      expect([head.statusCode, head.body], url).toEqual([200, ''])
    }
  }
})
