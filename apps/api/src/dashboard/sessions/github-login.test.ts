import { expect, onTestFinished, test } from 'vitest'
import { openProviderApi } from '../../test-support/open-provider-api.ts'
import { toCookie } from '../../test-support/open-users-api.ts'

/** Answers the library's requests to GitHub, whose addresses cannot be configured. */
function answerAsGitHub(profile: { id: number; login: string; name: string; email: string }) {
  const send = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = send
  })
  const answers: Record<string, () => unknown> = {
    'https://github.com/login/oauth/access_token': () => ({ access_token: 'gho_1', token_type: 'bearer', scope: '' }),
    'https://api.github.com/user': () => profile,
    'https://api.github.com/user/emails': () => [{ email: profile.email, primary: true, verified: true }],
  }
  globalThis.fetch = async (input, init) => {
    const answer = answers[new Request(input, init).url]
    return answer ? Response.json(answer()) : send(input, init)
  }
  return profile
}

test('the login of a GitHub account is stored at sign-in and when it is linked, and follows changes', async () => {
  const { ask, database, makeUser } = await openProviderApi({ allowedEmails: ['@example.com'] })
  const profile = answerAsGitHub({ id: 42, login: 'octo-cat', name: 'Octo', email: 'octo@example.com' })
  const cookiesOf = (setCookie: string | string[] | undefined) =>
    [setCookie ?? []].flat().map((one) => one.split(';')[0] ?? '')
  const finish = async (url: string, state: string[], cookie = '') => {
    const query = new URL(url).searchParams.get('state')
    const path = `/dashboard/api/auth/callback/github?code=c&state=${query}`
    return ask('GET', path, { cookie: [...state, cookie].filter(Boolean).join('; ') })
  }
  const signIn = async () => {
    const started = await ask('GET', '/dashboard/api/sign-in/github')
    return finish(String(started.headers.location), cookiesOf(started.headers['set-cookie']))
  }
  const account = () => database.prisma.account.findFirstOrThrow({ where: { providerId: 'github' } })

  const entered = await signIn()
  expect([entered.headers.location, toCookie(entered.headers['set-cookie']) !== '']).toEqual(['/', true])
  expect(await account()).toMatchObject({ accountId: '42', login: 'octo-cat', accessToken: null })
  expect(await database.prisma.session.findFirst()).toMatchObject({ method: 'github' })
  profile.login = 'octo-dog'
  await signIn()
  expect((await account()).login).toBe('octo-dog')
  profile.login = 'evil <x>'
  await signIn()
  expect((await account()).login).toBe('octo-dog')

  await database.prisma.account.deleteMany({ where: { providerId: 'github' } })
  profile.login = 'octo-cat'
  const { cookie, userId } = await makeUser()
  const started = await ask('POST', '/dashboard/api/account/providers/github', { cookie })
  const linked = await finish(started.json().url, cookiesOf(started.headers['set-cookie']), cookie)
  expect(linked.headers.location).toBe('/account?linked=github')
  expect(await account()).toMatchObject({ userId, login: 'octo-cat' })
})
