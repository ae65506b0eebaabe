import { COMMAND_LINE } from '@corrigenda/core/audit'
import { revokeKey } from '@corrigenda/core/keys'
import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openTestApi } from '../test-support/open-test-api.ts'

const swap = (key: string, at: number) => key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)

test('returns the same 401 for every kind of invalid key, on every route and project', async () => {
  const api = await openTestApi()
  const other = await api.makeProject()
  const revoked = await api.makeKey(api.project.id)
  await revokeKey({ ...api.database, audit: COMMAND_LINE }, revoked.id)
  const expired = await api.makeKey(api.project.id, { expiresInDays: -1 })
  const { key } = api
  const bad: Record<string, string | undefined> = {
    missing: undefined,
    empty: 'Bearer ',
    basic: 'Basic dXNlcjpwYXNz',
    'no scheme': key,
    garbage: 'Bearer nonsense',
    'bad checksum': `Bearer ${swap(key, key.length - 1)}`,
    'wrong secret': `Bearer ${swap(key, 20)}`,
    'unknown id': `Bearer cgd_${'z'.repeat(12)}${key.slice(16)}`,
    revoked: `Bearer ${revoked.key}`,
    expired: `Bearer ${expired.key}`,
    long: `Bearer ${'x'.repeat(5000)}`,
    two: `Bearer ${key} ${key}`,
  }
  const bodies = new Set<string>()
  for (const [name, authorization] of Object.entries(bad)) {
    for (const projectId of [api.project.id, other.id, 'no-such-project']) {
      for (const [method, path, payload] of [
        ['POST', '/job', '{"prompt":"x"}'],
        ['POST', '/job', '{"prompt":'],
        ['POST', '/job/job_01/cancel', undefined],
        ['GET', '/job/job_01', undefined],
        ['GET', '/job/job_01/events', undefined],
      ] as const) {
        const response = await api.app.inject({
          method,
          url: `/v2/agent/${projectId}${path}`,
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            ...(payload ? { 'content-type': 'application/json' } : {}),
          },
          ...(payload ? { payload } : {}),
        })
        expectError(response, 401, 'unauthorized')
        expect(response.headers['www-authenticate'], name).toBe('Bearer')
        bodies.add(response.body)
      }
    }
  }
  expect(bodies.size).toBe(1)
})

test('returns a byte-identical 404 for projects and jobs that are missing or belong to others', async () => {
  const api = await openTestApi()
  const other = await api.makeProject()
  const otherKey = await api.makeKey(other.id)
  const foreign = (await api.post({ prompt: 'x' }, { projectId: other.id, key: otherKey.key })).json().id
  const own = (await api.post({ prompt: 'x' })).json().id
  const missing = `job_${'0'.repeat(26)}`
  const bodies = new Set<string>()
  for (const path of [
    `/v2/agent/${other.id}/job/${foreign}`,
    `/v2/agent/prj_missing/job/${own}`,
    `/v2/agent/${api.project.id}/job/${foreign}`,
    `/v2/agent/${api.project.id}/job/${missing}`,
    `/v2/agent/${api.project.id}/job/nonsense%00`,
    `/v2/agent/${other.id}/job/${own}`,
    `/api/agent/v2/${api.project.id}/job/${foreign}`,
    `/v2/agent/${api.project.id}/job/${foreign}/events`,
  ]) {
    const response = await api.get(path)
    expectError(response, 404, 'not_found')
    bodies.add(response.body)
  }
  for (const projectId of [other.id, 'prj_missing']) {
    for (const body of [{ prompt: 'x' }, '{"prompt":']) {
      const response = await api.post(body, { projectId })
      expectError(response, 404, 'not_found')
      bodies.add(response.body)
    }
  }
  expect(bodies.size).toBe(1)
})

test('returns 403 for a missing scope or a disallowed IP address before the body is read', async () => {
  const api = await openTestApi()
  const reader = await api.makeKey(api.project.id, { scopes: ['jobs:read'] })
  const writer = await api.makeKey(api.project.id, { scopes: ['jobs:write'] })
  const office = await api.makeKey(api.project.id, { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] })
  for (const body of [{ prompt: 'x' }, {}, '{"prompt":']) {
    expectError(await api.post(body, { key: reader.key }), 403, 'scope_missing')
    expectError(await api.post(body, { key: office.key }), 403, 'address_not_allowed')
  }
  expectError(
    await api.get(`/v2/agent/${api.project.id}/job/x`, { authorization: `Bearer ${writer.key}` }),
    403,
    'scope_missing',
  )
  for (const address of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '2001:db8::1',
    '203.0.113.9:51234',
    '[2001:db8::1]:443',
    '[2001:DB8::1]',
    '[::ffff:203.0.113.7]:80',
  ]) {
    expect(
      (await api.post({ prompt: 'x' }, { key: office.key, headers: { 'x-forwarded-for': address } })).statusCode,
    ).toBe(201)
  }
})

test('records when a key was last used, and returns 401 as soon as the key is revoked', async () => {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}`
  expect((await api.get(path)).statusCode).toBe(200)
  expect((await api.database.prisma.apiKey.findUniqueOrThrow({ where: { id: api.keyId } })).lastUsedAt).toBeInstanceOf(
    Date,
  )
  await revokeKey({ ...api.database, audit: COMMAND_LINE }, api.keyId)
  expectError(await api.get(path), 401, 'unauthorized')
})

test('limits failed authentications per IP address, but not requests with a valid key', async () => {
  const api = await openTestApi({ failedAuthRateLimit: 5 })
  const tries: LightMyRequestResponse[] = []
  for (let i = 0; i < 20; i += 1) tries.push(await api.post({ prompt: 'x' }, { key: 'wrong' }))
  expect(tries.filter((r) => r.statusCode === 401)).toHaveLength(5)
  const limited = tries.filter((r) => r.statusCode === 429)
  expect(limited).toHaveLength(15)
  expectError(limited[0]!, 429, 'too_many_requests')
  expect(Number(limited[0]!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await api.post({ prompt: 'x' })).statusCode).toBe(201)
})

test('limits the total number of requests per IP address', async () => {
  const api = await openTestApi({ edgeRateLimit: 10 })
  const responses: LightMyRequestResponse[] = []
  for (let i = 0; i < 15; i += 1) responses.push(await api.get('/v1/nope'))
  expect(responses.filter((r) => r.statusCode === 429)).toHaveLength(5)
  expectError(responses.find((r) => r.statusCode === 429)!, 429, 'too_many_requests')
  expect((await api.get('/v1/nope', { 'x-forwarded-for': '198.51.100.9' })).statusCode).toBe(404)
})

test('limits the requests of one key, from all addresses, and not those of other keys', async () => {
  const api = await openTestApi({ callerRateLimit: 3 })
  const other = await api.makeKey(api.project.id)
  let address = 0
  const list = (key: string) => {
    address += 1
    return api.app.inject({
      url: `/v2/agent/${api.project.id}/jobs`,
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': `203.0.113.${address}` },
    })
  }
  for (let n = 0; n < 3; n += 1) expect((await list(api.key)).statusCode).toBe(200)
  const refused = await list(api.key)
  expectError(refused, 429, 'too_many_requests')
  expect(refused.json().message ?? refused.body).toMatch(/with this API key/)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await list(other.key)).statusCode).toBe(200)
})
