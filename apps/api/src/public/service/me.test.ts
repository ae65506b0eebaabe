import { Me } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

test('returns the key, its project and its remaining quotas, without using any quota', async () => {
  const api = await openTestApi({
    quota: { limit: 3, windowSeconds: 3600 },
    messageQuota: { limit: 5, windowSeconds: 60 },
  })
  await api.post({ prompt: 'x' })
  await api.get('/v1/me')
  const response = await api.get('/v1/me')
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store'])
  const me = Me.parse(response.json())
  expect(me).toEqual({
    projectId: api.project.id,
    project: { id: api.project.id, name: 'test', repository: 'https://github.com/acme/docs' },
    key: {
      id: api.keyId,
      name: 'test',
      scopes: ['jobs:read', 'jobs:write', 'webhooks:write'],
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
    },
    limits: {
      jobs: { limit: 3, remaining: 2, windowSeconds: 3600, resetSeconds: expect.any(Number) },
      retries: { limit: 3, remaining: 3, windowSeconds: 3600, resetSeconds: 3600 },
      messages: { limit: 5, remaining: 5, windowSeconds: 60, resetSeconds: 60 },
    },
  })
  expect(response.body).not.toContain(api.key.slice(17))
})

test('accepts any scope, and rejects a missing key, a disallowed IP address and other methods', async () => {
  const api = await openTestApi()
  for (const scope of ['jobs:read', 'jobs:write', 'project:deploy'] as const) {
    const { key } = await api.makeKey(api.project.id, { scopes: [scope], expiresInDays: null })
    const response = await api.get('/v1/me', { authorization: `Bearer ${key}` })
    expect([response.statusCode, response.json().key]).toEqual([
      200,
      expect.objectContaining({ scopes: [scope], expiresAt: null }),
    ])
  }
  expectError(await api.get('/v1/me', { authorization: 'Bearer x' }), 401, 'unauthorized')
  const { key } = await api.makeKey(api.project.id, { allowedCidrs: ['203.0.113.0/24'] })
  expectError(await api.get('/v1/me', { authorization: `Bearer ${key}` }), 403, 'address_not_allowed')
  const head = await api.app.inject({ method: 'HEAD', url: '/v1/me', headers: { authorization: `Bearer ${api.key}` } })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expectError(await api.app.inject({ method: 'DELETE', url: '/v1/me' }), 405, 'method_not_allowed')
})
