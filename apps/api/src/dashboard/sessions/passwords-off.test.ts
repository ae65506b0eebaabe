import { claimFirstAdmin, createSignInLink, getSetupToken } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { ADA, openProviderApi } from '../../test-support/open-provider-api.ts'
import { PASSWORD, toCookie } from '../../test-support/open-users-api.ts'

const API = '/dashboard/api'
const open = (options: Parameters<typeof openProviderApi>[0] = {}) => openProviderApi({ password: false, ...options })

test('with passwords turned off, every request that uses a password is rejected', async () => {
  const { ask, database, makeUser, startSession, project } = await open()
  const { userId, email } = await makeUser({ role: 'owner' })
  const cookie = await startSession(userId, 'oidc')
  const signIn = (await ask('GET', `${API}/session`)).json().signIn
  expect(signIn).toMatchObject({ password: false, oidc: { name: 'Acme' } })

  const invited = await ask('POST', `${API}/projects/${project.id}/invitations`, { cookie, body: { role: 'viewer' } })
  const token = invited.json().url.split('/').at(-1)
  const account = { name: 'Eve', email: 'eve@example.com', password: PASSWORD }
  const refused = [
    await ask('POST', `${API}/sign-in`, { body: { email, password: PASSWORD } }),
    await ask('POST', `${API}/setup`, { body: account }),
    await ask('POST', `${API}/invitations/${token}/accept`, { body: account }),
    await ask('POST', `${API}/account/confirm`, { cookie, body: { password: PASSWORD } }),
    await ask('POST', `${API}/account/password`, { cookie, body: { newPassword: 'a much longer password' } }),
    await ask('POST', `${API}/account/password`, {
      cookie,
      body: { currentPassword: PASSWORD, newPassword: 'a much longer password' },
    }),
  ]
  for (const response of refused) {
    expectError(response, 403, 'password_sign_in_disabled')
    expect(response.json().error).toBe('Passwords are turned off on this service. Sign in with GitHub or Acme.')
    expect(toCookie(response.headers['set-cookie'])).toBe('')
  }
  expect(await database.prisma.user.count()).toBe(1)

  // The account has a password from before, which is not a method to sign in with.
  const details = (await ask('GET', `${API}/account`, { cookie })).json()
  expect(details.hasPassword).toBe(false)
  await database.prisma.account.create({ data: { id: 'acc_1', userId, accountId: 'u-9', providerId: 'oidc' } })
  expectError(await ask('DELETE', `${API}/account/providers/oidc`, { cookie }), 409, 'last_sign_in')
})

test('with passwords turned off, sessions that were started with a password or are of unknown origin end', async () => {
  const { ask, database, makeUser, startSession, project, visit, user } = await open({
    allowedEmails: ['@example.com'],
  })
  const { userId, cookie } = await makeUser({ role: 'owner' })
  expect(await database.prisma.session.count({ where: { method: 'password' } })).toBe(1)
  expectError(await ask('GET', `/v2/agent/${project.id}/jobs`, { cookie }), 401, 'unauthorized')
  expect(await user(cookie)).toBeNull()
  expect(await database.prisma.session.count()).toBe(0)

  for (const method of ['github', 'oidc', 'link'] as const) {
    expect(await user(await startSession(userId, method)), method).toMatchObject({ id: userId })
  }
  const { cookie: fromProvider } = await visit()
  expect(await user(fromProvider)).toMatchObject({ email: 'ada@example.com' })
  expect(await database.prisma.session.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })).toMatchObject({
    method: 'oidc',
  })
  await database.prisma.session.updateMany({ data: { method: null } })
  expect(await user(fromProvider)).toBeNull()
})

test('a session from a provider ends after the longest lifetime', async () => {
  const { database, visit, user } = await open({ allowedEmails: ['@example.com'], overrides: { sessionMaxDays: 2 } })
  const { cookie } = await visit()
  const age = (days: number) =>
    database.prisma.session.updateMany({ data: { createdAt: new Date(Date.now() - days * 86_400_000) } })
  await age(1.9)
  expect(await user(cookie)).toMatchObject({ name: 'Ada' })
  await age(2.1)
  expect(await user(cookie)).toBeNull()
  expect(await database.prisma.session.count()).toBe(0)
})

test('the first admin can sign in with a provider, with the setup token, and only while no admin exists', async () => {
  const api = await open()
  const { ask, deps, goTo, finish, visit, user, database, provider } = api
  const setUp = (token?: string, address = '203.0.113.5') =>
    ask('POST', `${API}/setup/oidc`, { body: { token }, address })
  for (const wrong of [undefined, '0'.repeat(32)]) expectError(await setUp(wrong), 403, 'setup_token_wrong')
  const crossSite = await ask('POST', `${API}/setup/oidc`, { body: {}, headers: { 'sec-fetch-site': 'cross-site' } })
  expectError(crossSite, 403, 'cross_site_request')
  // A sign-in that was not started from the setup page does not create an account.
  expect((await visit()).to).toMatch(/error=not_invited/)

  const token = await getSetupToken(deps)
  const begin = async () => {
    const started = await setUp(token)
    expect(started.statusCode).toBe(200)
    return goTo(started.json().url, started.headers['set-cookie'])
  }
  const first = await begin()
  provider.profile = { ...ADA, sub: 'u-2', email: 'eve@example.com' }
  const second = await begin()
  const admin = await finish(first)
  expect(admin.to).toBe('/')
  expect(await user(admin.cookie)).toMatchObject({ email: 'ada@example.com', isAdmin: true })

  const late = await finish(second)
  expect([late.to, late.cookie]).toEqual([expect.stringMatching(/^\/setup\?error=/), ''])
  expectError(await setUp(token), 409, 'already_set_up')
  expect(await database.prisma.user.count({ where: { isAdmin: true } })).toBe(1)
})

test('concurrent setups with a provider create exactly one admin, and an existing account can become the admin', async () => {
  const api = await open({ allowedEmails: ['ada@example.com'] })
  const { ask, goTo, finish, database, provider, visit, user, makeUser } = api
  const before = await visit()
  expect(await user(before.cookie)).toMatchObject({ isAdmin: false })
  const starts = []
  for (let n = 1; n <= 4; n += 1) {
    provider.profile = { ...ADA, sub: `u-${n}`, email: n === 1 ? ADA.email : `p${n}@example.com` }
    const started = await ask('POST', `${API}/setup/oidc`, { body: {} })
    starts.push(await goTo(started.json().url, started.headers['set-cookie']))
  }
  const ends = await Promise.all(starts.map((one) => finish(one)))
  expect(ends.filter(({ to }) => to === '/')).toHaveLength(1)
  expect(await database.prisma.user.count({ where: { isAdmin: true } })).toBe(1)
  await database.prisma.user.updateMany({ data: { isAdmin: false } })
  // The same race without the sign-ins, which spread the requests over time.
  const users = await Promise.all(Array.from({ length: 20 }, () => makeUser()))
  const claims = await Promise.all(users.map(({ userId }) => claimFirstAdmin(database, { userId })))
  expect(claims.filter((isAdmin) => isAdmin)).toHaveLength(1)
  await database.prisma.user.updateMany({ data: { isAdmin: false } })
  provider.profile = ADA
  const again = await ask('POST', `${API}/setup/oidc`, { body: {} })
  const ada = await finish(await goTo(again.json().url, again.headers['set-cookie']))
  expect(await user(ada.cookie)).toMatchObject({ email: 'ada@example.com', isAdmin: true })
})

test('a sign-in link works once, before it expires, and with passwords turned off', async () => {
  const { ask, deps, makeUser, user, database, lines } = await open()
  const { userId, email } = await makeUser({ isAdmin: true })
  const take = (token: string, headers = {}) => ask('POST', `${API}/sign-in/link`, { body: { token }, headers })
  const { token } = await createSignInLink({ ...deps, audit: COMMAND_LINE }, { email: email.toUpperCase() })
  const crossSite = await take(token, { 'sec-fetch-site': 'cross-site' })
  expectError(crossSite, 403, 'cross_site_request')
  for (const wrong of ['x', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]) {
    expectError(await take(wrong), 401, 'sign_in_link_invalid')
  }
  const tries = await Promise.all(Array.from({ length: 5 }, () => take(token)))
  expect(tries.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401, 401])
  const entered = tries.find(({ statusCode }) => statusCode === 200)
  expect(await user(toCookie(entered?.headers['set-cookie']))).toMatchObject({ id: userId, isAdmin: true })
  expectError(await take(token), 401, 'sign_in_link_invalid')
  expect(lines.join('')).toContain('signed in with a link')
  expect(lines.join('')).not.toContain(token)

  const replaced = await createSignInLink({ ...deps, audit: COMMAND_LINE }, { email })
  const late = await createSignInLink({ ...deps, audit: COMMAND_LINE }, { email })
  expectError(await take(replaced.token), 401, 'sign_in_link_invalid')
  await database.prisma.signInLink.updateMany({ data: { expiresAt: new Date() } })
  expectError(await take(late.token), 401, 'sign_in_link_invalid')

  const { tokenHash } = await database.prisma.signInLink.findFirstOrThrow()
  expect(Buffer.from(tokenHash).toString('utf8')).not.toContain(late.token)
  await createSignInLink({ ...deps, audit: COMMAND_LINE }, { email: (await makeUser()).email })
  // Expired links are removed.
  expect(await database.prisma.signInLink.count()).toBe(1)
})

test('attempts to use sign-in links are limited per address', async () => {
  const { ask, deps, makeUser } = await open({ overrides: { failedAuthRateLimit: 3 } })
  const { email } = await makeUser()
  const { token } = await createSignInLink({ ...deps, audit: COMMAND_LINE }, { email })
  const take = (text: string, address: string) => ask('POST', `${API}/sign-in/link`, { body: { token: text }, address })
  for (let n = 0; n < 3; n += 1) expectError(await take('x', '203.0.113.5'), 401, 'sign_in_link_invalid')
  expectError(await take(token, '203.0.113.5'), 429, 'too_many_requests')
  expect((await take(token, '203.0.113.6')).statusCode).toBe(200)
})
