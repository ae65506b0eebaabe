import { startOidcProvider } from '@corrigenda/testkit'
import { onTestFinished } from 'vitest'
import type { SignInConfig } from '../http/config.ts'
import type { ApiDeps } from '../http/deps.ts'
import { openUsersApi, toCookie } from './open-users-api.ts'

export const BACK = 'http://localhost:8080/dashboard/api/auth/callback/oidc'
export const ADA = { sub: 'u-1', email: 'Ada@Example.com', email_verified: true, name: 'Ada' }

const SCOPES = ['openid', 'email', 'profile']

type Oidc = NonNullable<SignInConfig['oidc']>

interface ProviderApiOptions extends Partial<Pick<Oidc, 'scopes' | 'groups'>> {
  readonly allowedEmails?: string[]
  readonly password?: boolean
  readonly overrides?: Partial<ApiDeps>
}

/**
 * Opens the application on a new database, with an identity provider and functions that act as the
 * browser of a visitor.
 */
export async function openProviderApi(options: ProviderApiOptions = {}) {
  const { allowedEmails = [], password = true, scopes = SCOPES, groups = null, overrides = {} } = options
  const provider = await startOidcProvider({ redirectUri: BACK, profile: ADA })
  onTestFinished(() => provider.close())
  const { issuer, clientId, clientSecret } = provider
  const github = { clientId: 'gh-client', clientSecret: 'gh-secret' }
  const signIn = {
    password,
    github,
    oidc: { issuer, clientId, clientSecret, name: 'Acme', scopes, groups },
    allowedEmails,
  }
  const api = await openUsersApi({ signIn, ...overrides })
  const cookiesOf = (setCookie: string | string[] | undefined) =>
    [setCookie ?? []].flat().map((one) => one.split(';')[0] ?? '')

  /**
   * Visits the provider as a browser would, and returns the path that the provider redirects to.
   */
  const goTo = async (url: string, setCookie: string | string[] | undefined) => {
    const response = await fetch(url, { redirect: 'manual' })
    const back = new URL(response.headers.get('location') ?? '')
    return { back: `${back.pathname}${back.search}`, state: cookiesOf(setCookie).join('; ') }
  }
  const start = async (query = '', cookie = '') => {
    const started = await api.ask('GET', `/dashboard/api/sign-in/oidc${query}`, { cookie })
    return goTo(String(started.headers.location), started.headers['set-cookie'])
  }
  const startLink = async (cookie: string) => {
    const started = await api.ask('POST', '/dashboard/api/account/providers/oidc', { cookie })
    return goTo(started.json().url, started.headers['set-cookie'])
  }
  const link = async (cookie: string) => {
    const { back, state } = await startLink(cookie)
    return { to: (await api.ask('GET', back, { cookie: `${state}; ${cookie}` })).headers.location }
  }
  const makeUser = async (input: Parameters<typeof api.makeUser>[0] = {}) => {
    const created = await api.makeUser(input)
    return { ...created, signIn: () => api.signIn(created.email) }
  }
  /** Makes an account's sessions too old to count as fresh. */
  const stale = (userId: string) =>
    api.database.prisma.session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 601_000) } })
  /** Opens the callback URL with the cookies of the browser. */
  const finish = async ({ back, state }: { back: string; state: string }, cookie = '') => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const ended = await api.ask('GET', back, { cookie: [state, cookie].filter(Boolean).join('; '), headers })
    return { to: ended.headers.location, cookie: toCookie(ended.headers['set-cookie']), status: ended.statusCode }
  }
  const visit = async (query = '', cookie = '') => finish(await start(query, cookie), cookie)
  const user = async (cookie: string) => (await api.ask('GET', '/dashboard/api/session', { cookie })).json().user
  return { ...api, makeUser, provider, goTo, start, startLink, link, finish, visit, stale, user }
}
