import { type OidcFault, startOidcProvider } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { expectError } from '../test-support/expect-error.ts'
import { openPeopleApi, PASSWORD, toCookie } from '../test-support/open-people-api.ts'

const BACK = 'http://localhost:8080/dashboard/api/auth/callback/oidc'
const ADA = { sub: 'u-1', email: 'Ada@Example.com', email_verified: true, name: 'Ada' }

async function open(allowedEmails: string[] = []) {
  const provider = await startOidcProvider({ redirectUri: BACK, profile: ADA })
  onTestFinished(() => provider.close())
  const { issuer, clientId, clientSecret } = provider
  const github = { clientId: 'gh-client', clientSecret: 'gh-secret' }
  const signIn = { github, oidc: { issuer, clientId, clientSecret, name: 'Acme' }, allowedEmails }
  const api = await openPeopleApi({ signIn })
  const cookiesOf = (setCookie: string | string[] | undefined) =>
    [setCookie ?? []].flat().map((one) => one.split(';')[0] ?? '')

  /** Begins here, and comes back from the provider as a browser does. */
  const start = async (query = '', cookie = '') => {
    const begun = await api.ask('GET', `/dashboard/api/sign-in/oidc${query}`, { cookie })
    const answer = await fetch(String(begun.headers.location), { redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    return { back: `${back.pathname}${back.search}`, state: cookiesOf(begun.headers['set-cookie']).join('; ') }
  }
  const visit = async (query = '', cookie = '') => {
    const { back, state } = await start(query, cookie)
    const from = { 'sec-fetch-site': 'cross-site' }
    const ended = await api.ask('GET', back, { cookie: [state, cookie].filter(Boolean).join('; '), headers: from })
    return { to: ended.headers.location, cookie: toCookie(ended.headers['set-cookie']), status: ended.statusCode }
  }
  const user = async (cookie: string) => (await api.ask('GET', '/dashboard/api/session', { cookie })).json().user
  return { ...api, provider, start, visit, user }
}

test('an identity provider signs in whom the operator allowed, also the second time, and no token is kept', async () => {
  const { visit, user, ask, database, provider } = await open(['@example.com'])
  expect((await ask('GET', '/dashboard/api/session')).json().signIn).toEqual({
    password: true,
    github: true,
    oidc: { name: 'Acme' },
  })
  const first = await visit()
  expect([first.status, first.to, provider.refusals]).toEqual([302, '/', []])
  expect(await user(first.cookie)).toMatchObject({ name: 'Ada', email: 'ada@example.com', isOperator: false })
  const second = await visit('', first.cookie)
  expect(second.cookie).not.toBe(first.cookie)
  expect((await user(second.cookie)).id).toBeTruthy()
  // The session before has ended: its id is worth nothing.
  expect(await user(first.cookie)).toBeNull()
  expect(await database.prisma.account.findMany()).toMatchObject([
    { providerId: 'oidc', accountId: 'u-1', accessToken: null, refreshToken: null, idToken: null, password: null },
  ])
  // Nobody is an operator by coming first.
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

test('who was neither allowed nor invited gets no account; an invitation opens one, and is used on its page', async () => {
  const { visit, user, ask, makePerson, database, provider, project } = await open(['other@example.com'])
  expect(await visit()).toMatchObject({ to: expect.stringMatching(/^\/sign-in\?error=not_invited/), cookie: '' })
  const owner = await makePerson({ role: 'owner' })
  const invite = async (email: string | null) => {
    const body = { role: 'member', email }
    const made = await ask('POST', `/dashboard/api/projects/${project.id}/invitations`, { cookie: owner.cookie, body })
    return String(made.json().url.split('/').at(-1))
  }
  const forOther = await invite('somebody@else.example')
  expect((await visit(`?invitation=${forOther}`)).to).toMatch(/^\/sign-in\?error=not_invited/)
  const token = await invite(null)
  provider.profile = { ...ADA, email_verified: false }
  expect((await visit(`?invitation=${token}`)).to).toMatch(/^\/sign-in\?error=not_invited/)
  expect(await database.prisma.user.count()).toBe(1)
  provider.profile = ADA
  const joined = await visit(`?invitation=${token}`)
  expect(joined.to).toBe(`/invitations/${token}`)
  const accepted = await ask('POST', `/dashboard/api/invitations/${token}/accept`, { cookie: joined.cookie, body: {} })
  expect(accepted.json()).toEqual({ projectId: project.id })
  expect((await user(joined.cookie)).name).toBe('Ada')
})

test('an account with the same address and a password is not taken over by a provider', async () => {
  const { visit, ask } = await open(['@example.com'])
  const body = { name: 'Ada', email: ADA.email, password: PASSWORD }
  expect((await ask('POST', '/dashboard/api/setup', { body })).statusCode).toBe(201)
  expect(await visit()).toMatchObject({ to: '/sign-in?error=account_not_linked', cookie: '' })
})

test('what comes back is only believed with its state, once, in the browser that began, and with a sound ID token', async () => {
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

test('GitHub is asked with a state and PKCE, and where a browser ends up is always a page of ours', async () => {
  const { ask } = await open()
  const begun = await ask('GET', '/dashboard/api/sign-in/github')
  const url = new URL(String(begun.headers.location))
  expect(`${url.origin}${url.pathname}`).toBe('https://github.com/login/oauth/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'gh-client',
    redirect_uri: 'http://localhost:8080/dashboard/api/auth/callback/github',
    state: expect.stringMatching(/.{16,}/),
    code_challenge_method: 'S256',
    scope: expect.stringContaining('user:email'),
  })
  expect(begun.headers['set-cookie']).toMatch(/^corrigenda\.state=.*HttpOnly; SameSite=Lax/)
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
