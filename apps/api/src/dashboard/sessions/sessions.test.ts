import { createFirstAccount, getSetupToken } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { type Ask, BROWSER, openUsersApi, PASSWORD, toCookie } from '../../test-support/open-users-api.ts'

const OWNER = { name: ' Ada ', email: 'Ada@Example.com', password: PASSWORD }
const SESSION = '/dashboard/api/session'

test('setup from the same machine does not require a token, signs in the new user, and works only once', async () => {
  const api = await openUsersApi()
  const before = await api.ask('GET', SESSION)
  expect(before.json()).toEqual({
    user: null,
    setup: 'open',
    signIn: { password: true, github: false, oidc: null },
    demo: false,
    mayConnectModel: false,
    gitHosts: [],
    version: expect.any(String),
  })
  const short = await api.ask('POST', '/dashboard/api/setup', { body: { ...OWNER, password: 'eleven char' } })
  expectError(short, 400, 'invalid_request')
  expect(short.json().error).toContain('at least 12 characters')
  const created = await api.ask('POST', '/dashboard/api/setup', { body: OWNER })
  expect(created.statusCode).toBe(201)
  expect(created.json()).toMatchObject({
    user: { name: 'Ada', email: 'ada@example.com', isAdmin: true },
    setup: 'done',
  })
  const cookie = toCookie(created.headers['set-cookie'])
  expect((await api.ask('GET', SESSION, { cookie })).json()).toEqual(created.json())
  expectError(await api.ask('POST', '/dashboard/api/setup', { body: OWNER }), 409, 'already_set_up')
  expect(api.lines.join('')).not.toContain(PASSWORD)
})

test('exactly one of several concurrent setups creates the first account', async () => {
  const api = await openUsersApi()
  const tries = Array.from({ length: 4 }, (_, i) =>
    api.ask('POST', '/dashboard/api/setup', { body: { ...OWNER, email: `p${i}@example.com` } }),
  )
  const statuses = (await Promise.all(tries)).map((response) => response.statusCode)
  expect(statuses.sort()).toEqual([201, 409, 409, 409])
  expect(await api.database.prisma.user.count()).toBe(1)
  // The same race without password hashing, which would spread the requests over time.
  await api.database.prisma.user.deleteMany()
  const races = Array.from({ length: 20 }, (_, i) =>
    createFirstAccount(
      { ...api.database, audit: COMMAND_LINE },
      { name: 'x', email: `p${i}@example.com`, passwordHash: 'x' },
    ),
  )
  const created = (await Promise.allSettled(races)).filter((one) => one.status === 'fulfilled')
  expect([created.length, await api.database.prisma.user.count()]).toEqual([1, 1])
})

test('setup requires the token from the log, except for requests from the same machine', async () => {
  const api = await openUsersApi()
  const setUp = (from: Ask, token?: string) =>
    api.ask('POST', '/dashboard/api/setup', { body: { ...OWNER, token }, ...from })
  for (const from of [
    { address: '203.0.113.5' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    // Another host name that resolves to this machine.
    { headers: { host: 'evil.example:8080' } },
    { headers: { origin: 'http://evil.example' } },
  ]) {
    expect((await api.ask('GET', SESSION, from)).json().setup).toBe('token_required')
    expectError(await setUp(from), 403, 'setup_token_wrong')
    expectError(await setUp(from, '0'.repeat(32)), 403, 'setup_token_wrong')
  }
  for (const overrides of [{ publicUrl: 'https://docs.example.com' }, { trustProxy: 'loopback' }]) {
    const app = await buildApp({ ...api.deps, ...overrides })
    const response = await app.inject({ url: SESSION, headers: BROWSER })
    expect(response.json().setup).toBe('token_required')
    await app.close()
  }
  const token = await getSetupToken(api.deps)
  expect((await setUp({ address: '203.0.113.5' }, token)).statusCode).toBe(201)
})

test('sign-in returns the same error for all wrong credentials, sets secure cookies, and always starts a new session', async () => {
  const api = await openUsersApi()
  const { email, cookie } = await api.makeUser()
  const signIn = (body: object, options = {}) => api.ask('POST', '/dashboard/api/sign-in', { body, ...options })
  const unknown = await signIn({ email: 'unknown@example.com', password: PASSWORD })
  const wrong = await signIn({ email, password: `${PASSWORD}!` })
  expectError(unknown, 401, 'sign_in_failed')
  expect([wrong.body, wrong.headers['set-cookie']]).toEqual([unknown.body, undefined])

  // A planted session id and the id of a signed-in session are both replaced.
  for (const before of ['corrigenda_session=planted', cookie]) {
    const again = await signIn({ email: email.toUpperCase(), password: PASSWORD }, { cookie: before })
    expect(again.statusCode).toBe(200)
    expect(toCookie(again.headers['set-cookie'])).not.toBe(before)
    expect([again.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^corrigenda_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^corrigenda_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  }
  expect((await api.ask('GET', SESSION, { cookie })).json().user).toBeNull()
  const secure = await openUsersApi({ publicUrl: 'https://docs.example.com' })
  const user = await secure.makeUser()
  const response = await secure.ask('POST', '/dashboard/api/sign-in', {
    body: { email: user.email, password: PASSWORD },
  })
  expect(response.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-corrigenda_session=[^;]+; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-corrigenda_device=[^;]+; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
})

test('five failed sign-ins, even concurrent ones, block the account for the same IP address, but not for other addresses', async () => {
  const api = await openUsersApi()
  const { email } = await api.makeUser()
  const attempt = (password: string, address = '127.0.0.1') =>
    api.ask('POST', '/dashboard/api/sign-in', { body: { email, password }, address })
  const tries = await Promise.all(Array.from({ length: 12 }, () => attempt('not the password')))
  const statuses = tries.map((response) => response.statusCode)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  const limited = await attempt(PASSWORD)
  expectError(limited, 429, 'too_many_sign_ins')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(600)
  expect((await attempt(PASSWORD, '127.0.0.2')).statusCode).toBe(200)
  // Requests with an API key from the same address are still accepted.
  expect((await api.post({ prompt: 'x' })).statusCode).toBe(201)
})

test('a session ends immediately on sign-out, revocation, expiry or a password change', async () => {
  const api = await openUsersApi()
  const { email, cookie, userId } = await api.makeUser({ role: 'member' })
  const user = async (one: string) => (await api.ask('GET', SESSION, { cookie: one })).json().user
  const others = [await api.signIn(email), await api.signIn(email), await api.signIn(email)] as const
  const listed = await api.ask('GET', '/dashboard/api/account/sessions', { cookie })
  expect(listed.body).not.toContain(decodeURIComponent(cookie.split('=')[1]!).split('.')[0])
  const { sessions } = listed.json()
  expect(sessions).toHaveLength(4)
  expect(sessions[3]).toMatchObject({ current: true, address: '127.0.0.1' })

  const ended = await api.ask('DELETE', `/dashboard/api/account/sessions/${sessions[0].id}`, { cookie })
  expect(ended.statusCode).toBe(204)
  expect(await user(others[2])).toBeNull()
  expectError(
    await api.ask('DELETE', `/dashboard/api/account/sessions/${sessions[0].id}`, { cookie }),
    404,
    'not_found',
  )

  const out = await api.ask('POST', '/dashboard/api/sign-out', { cookie: others[1] })
  expect([out.statusCode, out.headers['set-cookie']]).toEqual([
    204,
    expect.stringMatching(/corrigenda_session=; Max-Age=0/),
  ])
  expect(await user(others[1])).toBeNull()

  const wrong = { currentPassword: 'something else', newPassword: 'a much longer password' }
  expectError(await api.ask('POST', '/dashboard/api/account/password', { cookie, body: wrong }), 403, 'password_wrong')
  const body = { currentPassword: PASSWORD, newPassword: 'a much longer password' }
  const changed = await api.ask('POST', '/dashboard/api/account/password', { cookie, body })
  expect(changed.statusCode).toBe(204)
  const fresh = toCookie(changed.headers['set-cookie'])
  expect([await user(cookie), await user(others[0])]).toEqual([null, null])
  expect(await user(fresh)).toMatchObject({ id: userId })

  await api.database.prisma.session.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } })
  expect(await user(fresh)).toBeNull()
  const job = await api.ask('GET', `/v2/agent/${api.project.id}/jobs`, { cookie: fresh })
  expectError(job, 401, 'unauthorized')
})

test('an active session is extended, and its last use is recorded', async () => {
  const api = await openUsersApi()
  const { cookie } = await api.makeUser()
  expect((await api.ask('GET', SESSION, { cookie })).headers['set-cookie']).toBeUndefined()
  const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000)
  await api.database.prisma.session.updateMany({
    data: { expiresAt: new Date(Date.now() + 20 * 86_400_000), updatedAt: tenDaysAgo },
  })
  expect(toCookie((await api.ask('GET', SESSION, { cookie })).headers['set-cookie'])).toBe(cookie)
  const session = await api.database.prisma.session.findFirstOrThrow()
  expect(session.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  expect(session.updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
})

test('only visitors on the same machine are signed in to the demo account automatically, and the account is invalid after the demo ends', async () => {
  const api = await openUsersApi({ demoSignIn: true })
  const hello = await api.ask('GET', SESSION)
  expect(hello.json()).toMatchObject({ user: { name: 'Demo owner', isAdmin: true }, setup: 'done', demo: true })
  const cookie = toCookie(hello.headers['set-cookie'])
  expect((await api.ask('GET', '/dashboard/api/projects', { cookie })).json().projects).toMatchObject([
    { role: 'owner' },
  ])
  const again = await api.ask('GET', SESSION)
  expect(again.json().user).toEqual(hello.json().user)
  for (const from of [
    { address: '203.0.113.5' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { host: 'evil.example' } },
    { headers: { 'sec-fetch-site': 'cross-site' } },
    { headers: { authorization: `Bearer ${api.key}` } },
  ]) {
    const response = await api.ask('GET', SESSION, from)
    expect([response.json().user, response.headers['set-cookie']]).toEqual([null, undefined])
  }
  for (const overrides of [{ publicUrl: 'https://docs.example.com' }, { trustProxy: '10.0.0.1' }]) {
    const other = await openUsersApi({ demoSignIn: true, ...overrides })
    expect((await other.ask('GET', SESSION)).json().user).toBeNull()
  }
  const { demoSignIn: _, ...deps } = api.deps
  const later = await buildApp({ ...deps, demoSignIn: false })
  const response = await later.inject({ url: SESSION, headers: { cookie, host: 'localhost:8080' } })
  expect(response.json()).toMatchObject({ user: null, setup: 'open' })
  await later.close()
})

test('a session ends after its longest lifetime, even if it is in use', async () => {
  const api = await openUsersApi({ sessionMaxDays: 2 })
  const created = await api.ask('POST', '/dashboard/api/setup', { body: OWNER })
  const cookie = toCookie(created.headers['set-cookie'])
  const age = (days: number) =>
    api.database.prisma.session.updateMany({ data: { createdAt: new Date(Date.now() - days * 86_400_000) } })
  await age(1.9)
  expect((await api.ask('GET', SESSION, { cookie })).json().user).toMatchObject({ name: 'Ada' })
  await age(2.1)
  const ended = await api.ask('GET', SESSION, { cookie })
  expect([ended.json().user, ended.headers['set-cookie']]).toEqual([null, undefined])
  expect(await api.database.prisma.session.count()).toBe(0)
})
