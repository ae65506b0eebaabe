import net from 'node:net'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createJob } from '@corrigenda/core/jobs'
import { deleteProject } from '@corrigenda/core/projects'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { handleError } from '../http/errors.ts'
import { expectError } from '../test-support/expect-error.ts'
import { openUsersApi, PASSWORD, toCookie } from '../test-support/open-users-api.ts'

const SESSION = '/dashboard/api/session'
const SIGN_IN = '/dashboard/api/sign-in'

test('guessing passwords from one IP address, one IPv6 network or many addresses does not lock out a known browser', async () => {
  const api = await openUsersApi()
  const { email } = await api.makeUser()
  const attempt = (password: string, address: string, cookie = '') =>
    api.ask('POST', SIGN_IN, { body: { email, password }, address, cookie })
  const signedIn = await attempt(PASSWORD, '10.0.0.1')
  const device = [signedIn.headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('corrigenda_device='))
  const ownCookie = device?.split(';')[0] ?? ''
  // All requests have the same address, as behind a proxy that is not configured as trusted.
  for (let i = 0; i < 6; i += 1) await attempt('wrong', '10.0.0.1')
  expectError(await attempt(PASSWORD, '10.0.0.1'), 429, 'too_many_sign_ins')
  expect((await attempt(PASSWORD, '10.0.0.1', ownCookie)).statusCode).toBe(200)
  // Neither a forged cookie nor another account's cookie bypasses the limit.
  const other = await api.makeUser()
  const foreign = await api.ask('POST', SIGN_IN, {
    body: { email: other.email, password: PASSWORD },
    address: '10.0.0.9',
  })
  const theirs = [foreign.headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('corrigenda_device='))
  for (const cookie of [`${ownCookie}x`, 'corrigenda_device=a.b', 'corrigenda_device=', theirs?.split(';')[0] ?? '']) {
    expectError(await attempt(PASSWORD, '10.0.0.1', cookie), 429, 'too_many_sign_ins')
  }
  // All addresses in an IPv6 network count as one.
  const last = (i: number) => `2001:db8:0:7::${(i * 7919).toString(16)}`
  const attempts = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => attempt('wrong', last(i))))
  expect(attempts.filter((one) => one.statusCode === 429)).toHaveLength(1)
  expect((await attempt('wrong', '2001:db8:0:8::1')).statusCode).toBe(401)
  // After 100 failed sign-ins from all IP addresses combined, only browsers with a device cookie
  // can sign in.
  await api.database.prisma.$executeRaw`UPDATE sign_in_tries SET tries = 100 WHERE tries > 5`
  expectError(await attempt(PASSWORD, '198.51.100.77'), 429, 'too_many_sign_ins')
  expect((await attempt(PASSWORD, '198.51.100.77', ownCookie)).statusCode).toBe(200)
})

test('rejects an IP address with too many failed sign-ins before checking the password', async () => {
  const api = await openUsersApi({ failedAuthRateLimit: 2 })
  const { email } = await api.makeUser()
  for (const who of ['a', 'b']) {
    const body = { email: `${who}@example.com`, password: 'wrong' }
    expect((await api.ask('POST', SIGN_IN, { body })).statusCode).toBe(401)
  }
  expectError(await api.ask('POST', SIGN_IN, { body: { email, password: PASSWORD } }), 429, 'too_many_requests')
})

test('forwarded requests are never signed in automatically, and require the token for setup', async () => {
  const api = await openUsersApi({ demoSignIn: true })
  for (const name of [
    'x-forwarded-server',
    'x-original-host',
    'cf-connecting-ip',
    'true-client-ip',
    'x-client-ip',
    'fly-client-ip',
    'x-real-ip',
    'via',
    'forwarded',
    'x-envoy-external-address',
    'tailscale-user-login',
    'x-forwarded-anything',
  ]) {
    const response = await api.ask('GET', SESSION, { headers: { [name]: '127.0.0.1' } })
    expect([name, response.json()]).toMatchObject([name, { user: null, setup: 'token_required' }])
  }
  const origin = await api.listen()
  const { port } = new URL(origin)
  const ask = (version: string, host: string) =>
    new Promise<string>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${SESSION} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      )
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
  expect(await ask('1.1', `localhost:${port}`)).toContain('Demo owner')
  // A request from a proxy with default settings.
  expect(await ask('1.0', `localhost:${port}`)).toContain('"user":null')
  // Other host names that resolve to this machine.
  for (const host of [`evil.example:${port}`, `localhost.evil.example:${port}`, '127.0.0.1.evil.example', '0.0.0.0']) {
    expect([host, await ask('1.1', host)]).toEqual([host, expect.stringContaining('"user":null')])
  }
})

test('redirects a browser without a session to the sign-in page and back, and returns JSON to scripts and 404 to non-admins', async () => {
  const api = await openUsersApi()
  const created = '/dashboard/api/github-app/created?code=abc&state=xyz'
  const html = { accept: 'text/html,application/xhtml+xml' }
  for (const path of [created, '/dashboard/api/github-app/start?state=xyz']) {
    for (const headers of [html, { 'sec-fetch-mode': 'navigate', accept: '*/*' }]) {
      const response = await api.ask('GET', path, { headers })
      const location = `/sign-in?next=${encodeURIComponent(path)}`
      expect([response.statusCode, response.headers.location]).toEqual([303, location])
      expect(response.headers['cache-control']).toBe('no-store')
    }
    expectError(await api.ask('GET', path, { headers: { ...html, 'sec-fetch-mode': 'cors' } }), 401, 'sign_in_required')
    const { cookie } = await api.makeUser()
    expectError(await api.ask('GET', path, { headers: html, cookie }), 404, 'not_found')
  }
  // An admin who signs in again during the flow can continue it.
  const admin = await api.makeUser({ isAdmin: true })
  const started = await api.ask('POST', '/dashboard/api/github-app/manifest', { cookie: admin.cookie, body: {} })
  const { start } = started.json()
  const other = await api.makeUser({ isAdmin: true })
  expectError(await api.ask('GET', start, { cookie: other.cookie }), 404, 'not_found')
  expect((await api.ask('GET', start, { cookie: await api.signIn(admin.email) })).statusCode).toBe(200)
})

test('over HTTPS, responses set HSTS, and requests from an HTTP page on the same host are rejected', async () => {
  const publicUrl = 'https://docs.example.com'
  const api = await openUsersApi({ publicUrl })
  const { email } = await api.makeUser()
  const from = (origin: string, host = 'docs.example.com') =>
    api.app.inject({
      method: 'POST',
      url: SIGN_IN,
      headers: { host, origin, 'content-type': 'application/json' },
      payload: JSON.stringify({ email, password: PASSWORD }),
    })
  const good = await from(publicUrl)
  expect([good.statusCode, good.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
  expectError(await from('https://inner.example:8443', 'inner.example:8443'), 403, 'cross_site_request')
  expectError(await from('http://docs.example.com'), 403, 'cross_site_request')
  expectError(await from('https://docs.example.com.evil.example'), 403, 'cross_site_request')
  const plain = await buildApp({ ...api.deps, publicUrl: 'http://localhost:8080' })
  expect((await plain.inject('/healthz')).headers['strict-transport-security']).toBeUndefined()
  await plain.close()
})

const CALLS = [
  'PATCH /dashboard/api/account',
  'DELETE /dashboard/api/account',
  'POST /dashboard/api/account/sessions/revoke-others',
]

test('forms from another site are rejected, regardless of method and content type', async () => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser({ role: 'owner' })
  const before = await api.ask('GET', '/dashboard/api/account', { cookie })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    undefined,
  ]) {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
      for (const url of ['/dashboard/api/account', '/dashboard/api/account/sessions/revoke-others']) {
        const response = await api.app.inject({
          method,
          url,
          headers: {
            host: 'localhost:8080',
            cookie,
            'sec-fetch-site': 'cross-site',
            origin: 'http://evil.example',
            ...(type && { 'content-type': type }),
          },
          payload: '{"name":"Eve"}',
        })
        // The cross-site check runs first. Unsupported methods return method_not_allowed.
        const code = CALLS.includes(`${method} ${url}`) ? 'cross_site_request' : 'method_not_allowed'
        expect([method, url, type, response.headers['x-error-code']]).toEqual([method, url, type, code])
      }
    }
  }
  expect((await api.ask('GET', '/dashboard/api/account', { cookie })).json()).toEqual(before.json())
})

test('returns 404 for an object deleted during the request and 400 for text that contains NUL, instead of 500', async () => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser({ role: 'owner', isAdmin: true })
  const codes = new Set<string>()
  for (let round = 0; round < 4; round += 1) {
    const { id: projectId } = await api.makeProject()
    const request = { prompt: 'x' }
    const races = await Promise.allSettled([
      ...[1, 2, 3, 4].map(() =>
        createJob({ ...api.deps, audit: COMMAND_LINE }, { projectId, request, idempotencyKey: null }),
      ),
      deleteProject({ ...api.database, audit: COMMAND_LINE }, { projectId, name: 'test' }),
    ])
    for (const one of races) if (one.status === 'rejected') codes.add(await toErrorResponse(one.reason))
  }
  expect([...codes].filter((code) => code !== '404 not_found')).toEqual([])
  expectError(await api.ask('GET', '/dashboard/api/projects/%00/keys', { cookie }), 400, 'invalid_request')
  const nul = { name: 'a\u0000b' }
  expectError(await api.ask('PATCH', '/dashboard/api/account', { cookie, body: nul }), 400, 'invalid_request')
})

/** Returns the application's response to a thrown value. */
async function toErrorResponse(error: unknown): Promise<string> {
  const { default: fastify } = await import('fastify')
  const app = fastify()
  app.setErrorHandler(handleError)
  app.get('/', () => Promise.reject(error))
  const { statusCode, headers } = await app.inject('/')
  await app.close()
  return `${statusCode} ${headers['x-error-code']}`
}

test('a user has at most fifty sessions, and responses to signed-in users are not cached', async () => {
  const api = await openUsersApi()
  const { userId, email, cookie } = await api.makeUser({ role: 'owner' })
  const old = Array.from({ length: 60 }, (_, i) => ({
    id: `old-${i}`,
    userId,
    token: `token-${i}`,
    expiresAt: new Date(Date.now() + 86_400_000),
    createdAt: new Date(Date.now() - 1_000_000 - i),
  }))
  await api.database.prisma.session.createMany({ data: old })
  const fresh = toCookie(
    (await api.ask('POST', SIGN_IN, { body: { email, password: PASSWORD } })).headers['set-cookie'],
  )
  expect(await api.database.prisma.session.count({ where: { userId } })).toBe(50)
  expect((await api.ask('GET', SESSION, { cookie })).json().user.id).toBe(userId)
  const projectId = api.project.id
  for (const path of [
    '/dashboard/api/projects',
    '/dashboard/api/account',
    SESSION,
    '/dashboard/api/account/sessions',
    ...['keys', 'members', 'settings', 'jobs', 'welcome'].map((name) => `/dashboard/api/projects/${projectId}/${name}`),
    `/v2/agent/${projectId}/jobs`,
    `/v1/project/${projectId}/webhooks`,
    `/v1/project/${projectId}/updates`,
  ]) {
    const response = await api.ask('GET', path, { cookie: fresh })
    const isCacheable = !/no-store|no-cache/.test(String(response.headers['cache-control']))
    expect([path, response.statusCode, isCacheable]).toEqual([path, 200, false])
  }
})
