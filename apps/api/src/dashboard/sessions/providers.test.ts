import { resetPassword } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import type { OidcFault } from '@corrigenda/testkit'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { ADA, BACK, openProviderApi } from '../../test-support/open-provider-api.ts'
import { PASSWORD, toCookie } from '../../test-support/open-users-api.ts'

const LINK = '/dashboard/api/account/providers/oidc'
const open = (allowedEmails: string[] = []) => openProviderApi({ allowedEmails })

test('users with an allowed email address can sign in through the provider repeatedly, and no token is stored', async () => {
  const { visit, user, ask, database, provider } = await open(['@example.com'])
  expect((await ask('GET', '/dashboard/api/session')).json().signIn).toEqual({
    password: true,
    github: true,
    oidc: { name: 'Acme', hasAdminGroups: false },
  })
  const first = await visit()
  expect([first.status, first.to, provider.refusals]).toEqual([302, '/', []])
  expect(await user(first.cookie)).toMatchObject({ name: 'Ada', email: 'ada@example.com', isAdmin: false })
  const second = await visit('', first.cookie)
  expect(second.cookie).not.toBe(first.cookie)
  expect((await user(second.cookie)).id).toBeTruthy()
  // The previous session has ended.
  expect(await user(first.cookie)).toBeNull()
  expect(await database.prisma.account.findMany()).toMatchObject([
    { providerId: 'oidc', accountId: 'u-1', accessToken: null, refreshToken: null, idToken: null, password: null },
  ])
  // The first user from a provider does not become an admin.
  expect((await ask('GET', '/dashboard/api/session')).json().setup).toBe('open')
  expectError(
    await ask('POST', '/dashboard/api/account/password', {
      cookie: second.cookie,
      body: { currentPassword: 'x', newPassword: 'a much longer password' },
    }),
    409,
    'no_password',
  )
})

test('does not create an account for a user who is neither allowed nor invited, and redirects an invited user to the invitation', async () => {
  const { visit, user, ask, makeUser, database, provider, project } = await open(['other@example.com'])
  expect(await visit()).toMatchObject({ to: expect.stringMatching(/^\/sign-in\?error=not_invited/), cookie: '' })
  const owner = await makeUser({ role: 'owner' })
  const invite = async (email: string | null) => {
    const body = { role: 'member', email }
    const path = `/dashboard/api/projects/${project.id}/invitations`
    const created = await ask('POST', path, { cookie: owner.cookie, body })
    return String(created.json().url.split('/').at(-1))
  }
  const forOther = await invite('guest@else.example')
  expect((await visit(`?invitation=${forOther}`)).to).toBe(
    `/sign-in?next=%2Finvitations%2F${forOther}&error=not_invited`,
  )
  const token = await invite(null)
  provider.profile = { ...ADA, email_verified: false }
  expect((await visit(`?invitation=${token}`)).to).toMatch(/&error=not_invited$/)
  expect(await database.prisma.user.count()).toBe(1)
  provider.profile = ADA
  const joined = await visit(`?invitation=${token}`)
  expect(joined.to).toBe(`/invitations/${token}`)
  const accepted = await ask('POST', `/dashboard/api/invitations/${token}/accept`, { cookie: joined.cookie, body: {} })
  expect(accepted.json()).toEqual({ projectId: project.id })
  expect((await user(joined.cookie)).name).toBe('Ada')
})

test('a provider sign-in cannot access a password account with the same email address', async () => {
  const { visit, ask, database } = await open(['@example.com'])
  const body = { name: 'Ada', email: ADA.email, password: PASSWORD }
  expect((await ask('POST', '/dashboard/api/setup', { body })).statusCode).toBe(201)
  expect(await visit()).toMatchObject({ to: '/sign-in?error=account_not_linked', cookie: '' })
  // This also applies if both addresses are verified.
  await database.prisma.user.updateMany({ data: { emailVerified: true } })
  expect(await visit()).toMatchObject({ to: '/sign-in?error=account_not_linked', cookie: '' })
  expect(await database.prisma.account.findMany({ where: { providerId: 'oidc' } })).toEqual([])
})

test('sign-in redirects to the requested path, but only within the service', async () => {
  const { visit } = await open(['@example.com'])
  const next = (path: string) => visit(`?next=${encodeURIComponent(path)}`)
  expect((await next('/projects/p/jobs?status=failed')).to).toBe('/projects/p/jobs?status=failed')
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    'https://evil.example/',
  ]
  for (const path of [...elsewhere, 'https:evil', 'javascript:alert(1)', '/./\\evil.example']) {
    expect([path, (await next(path)).to]).toEqual([path, '/'])
  }
})

test('a user can link a provider account, sign in with it regardless of its email address, and unlink it', async () => {
  const { ask, link, visit, user, makeUser, stale, provider, database } = await open()
  const created = await makeUser()
  const { cookie, userId } = created
  expect(await link(cookie)).toMatchObject({ to: '/account?linked=oidc' })
  expect(await database.prisma.account.findMany({ where: { providerId: 'oidc' } })).toMatchObject([
    { userId, accountId: 'u-1', accessToken: null, refreshToken: null, idToken: null },
  ])
  const account = (await ask('GET', '/dashboard/api/account', { cookie })).json()
  expect(account.providers).toEqual([
    { provider: 'github', linkedAt: null },
    { provider: 'oidc', linkedAt: expect.any(String) },
  ])
  const entered = await visit()
  expect(await user(entered.cookie)).toMatchObject({ id: userId, email: created.email })
  expectError(await ask('POST', LINK, { cookie }), 409, 'provider_linked')

  // The same provider account cannot be linked to a second account.
  const other = await makeUser()
  expect(await link(other.cookie)).toMatchObject({
    to: expect.stringMatching(/^\/account\?error=account_already_linked/),
  })
  provider.profile = { ...ADA, sub: 'u-2', email_verified: false }
  expect(await link(other.cookie)).toMatchObject({ to: '/account?error=unable_to_link_account' })

  await stale(userId)
  expectError(await ask('DELETE', LINK, { cookie }), 403, 'fresh_sign_in_required')
  expect((await ask('DELETE', LINK, { cookie: await created.signIn() })).statusCode).toBe(204)
  // Sessions that were started with the provider have ended.
  expect(await user(entered.cookie)).toBeNull()
  expectError(await ask('DELETE', LINK, { cookie: await created.signIn() }), 404, 'not_found')
  provider.profile = ADA
  expect(await visit()).toMatchObject({ to: '/sign-in?error=not_invited', cookie: '' })
})

test('linking requires a fresh sign-in, and fails if the password was changed after linking started', async () => {
  const { ask, startLink, makeUser, stale, database, deps } = await open()
  const { cookie, userId, email } = await makeUser()
  const started = await startLink(cookie)
  await resetPassword({ ...deps, audit: COMMAND_LINE }, { email, passwordHash: 'x' })
  const late = await ask('GET', started.back, { cookie: `${started.state}; ${cookie}` })
  expect(late.headers.location).toBe('/account?error=unable_to_link_account')
  // Linking also fails in a browser other than the one that started it.
  const second = await makeUser()
  const victim = await makeUser()
  const { back } = await startLink(second.cookie)
  const stolen = await ask('GET', back, { cookie: victim.cookie })
  expect(stolen.headers.location).toMatch(/error=state_mismatch/)
  await stale(second.userId)
  expectError(await ask('POST', LINK, { cookie: second.cookie }), 403, 'fresh_sign_in_required')
  expectError(await ask('POST', LINK, { cookie }), 401, 'sign_in_required')
  expect(await database.prisma.account.count({ where: { providerId: 'oidc' } })).toBe(0)
  expect(userId).toBeTruthy()
})

test("an account's only sign-in method cannot be unlinked until a password is set", async () => {
  const { visit, ask, stale, user, database } = await open(['@example.com'])
  const { cookie } = await visit()
  const { id: userId, email } = await user(cookie)
  expect((await ask('GET', '/dashboard/api/account', { cookie })).json().hasPassword).toBe(false)
  expectError(await ask('DELETE', LINK, { cookie }), 409, 'last_sign_in')
  const confirm = await ask('POST', '/dashboard/api/account/confirm', { cookie, body: { password: PASSWORD } })
  expectError(confirm, 409, 'no_password')
  const other = (await visit()).cookie
  const setPassword = (body: object) => ask('POST', '/dashboard/api/account/password', { cookie: other, body })
  await stale(userId)
  expectError(await setPassword({ newPassword: PASSWORD }), 403, 'fresh_sign_in_required')
  await database.prisma.session.updateMany({ data: { createdAt: new Date() } })
  expect((await setPassword({ newPassword: PASSWORD })).statusCode).toBe(204)
  expect([await user(cookie), (await user(other)).id]).toEqual([null, userId])
  expectError(await setPassword({ newPassword: 'another long password' }), 403, 'password_wrong')
  const signIn = await ask('POST', '/dashboard/api/sign-in', { body: { email, password: PASSWORD } })
  expect(signIn.statusCode).toBe(200)
  expect((await ask('DELETE', LINK, { cookie: other })).statusCode).toBe(204)
})

test('a sign-in that was started with one provider cannot be completed with another', async () => {
  const { ask, start, provider } = await open(['@example.com'])
  const started = await ask('GET', '/dashboard/api/sign-in/github')
  const [state = ''] = [started.headers['set-cookie'] ?? []].flat()
  const query = new URL(String(started.headers.location)).searchParams.get('state')
  const code = new URL((await start()).back, BACK).searchParams.get('code')
  const back = await ask('GET', `/dashboard/api/auth/callback/oidc?code=${code}&state=${query}`, {
    cookie: state.split(';')[0] ?? '',
  })
  expect(back.headers.location).toBe('/sign-in?error=state_mismatch')
  // The provider never received the code.
  expect(provider.refusals).toEqual([])
})

test('a callback is accepted only once, and only from the browser that started the sign-in and with a valid ID token', async () => {
  const { start, visit, ask, provider, lines } = await open(['@example.com'])
  const elsewhere = await start()
  const stolen = await ask('GET', elsewhere.back)
  expect([stolen.headers.location, toCookie(stolen.headers['set-cookie'])]).toEqual([
    '/sign-in?error=state_mismatch',
    '',
  ])
  const { back, state } = await start()
  expect((await ask('GET', back, { cookie: state })).headers.location).toBe('/')
  expect((await ask('GET', back, { cookie: state })).headers.location).toMatch(/^\/sign-in\?error=/)
  for (const fault of ['signature', 'issuer', 'audience', 'nonce', 'expired'] satisfies OidcFault[]) {
    provider.fault = fault
    expect(await visit(), fault).toMatchObject({ to: expect.stringMatching(/^\/sign-in\?error=/), cookie: '' })
  }
  expect(lines.join('')).not.toMatch(/access_token|eyJ|gh-secret/)
  expect(lines.join('')).not.toContain(provider.clientSecret)
})

test("GitHub sign-in uses a state parameter and PKCE, and every callback redirects to one of the service's pages", async () => {
  const { ask } = await open()
  const started = await ask('GET', '/dashboard/api/sign-in/github')
  const url = new URL(String(started.headers.location))
  expect(`${url.origin}${url.pathname}`).toBe('https://github.com/login/oauth/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'gh-client',
    redirect_uri: 'http://localhost:8080/dashboard/api/auth/callback/github',
    state: expect.stringMatching(/.{16,}/),
    code_challenge_method: 'S256',
    scope: expect.stringContaining('user:email'),
  })
  expect(started.headers['set-cookie']).toMatch(/^corrigenda\.state=.*HttpOnly; SameSite=Lax/)
  for (const path of ['oidc', 'github?error=access_denied', 'github?state=x&code=y']) {
    const back = await ask('GET', `/dashboard/api/auth/callback/${path}`)
    expect(back.headers.location).toMatch(/^\/sign-in\?error=\w+/)
  }
  for (const path of [
    '/dashboard/api/auth/callback/google',
    '/dashboard/api/auth/sign-up/email',
    '/dashboard/api/auth/ok',
  ]) {
    expect((await ask('GET', path)).statusCode).toBe(404)
  }
  expectError(await ask('GET', '/dashboard/api/sign-in/oidc?invitation=../../evil'), 400, 'invalid_request')
})
