import { randomUUID } from 'node:crypto'
import type { Role } from '@corrigenda/contracts'
import { insertAccount } from '@corrigenda/core/internal/accounts/users'
import { openOwnTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { hashPassword } from 'better-auth/crypto'
import type { LightMyRequestResponse } from 'fastify'
import { type Auth, buildAuth } from '../auth/build-auth.ts'
import type { SignInMethod } from '../auth/user-sessions.ts'
import type { ApiDeps } from '../http/deps.ts'
import { openTestApi } from './open-test-api.ts'

export const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)
/** Headers that a browser sends from one of the service's pages. */
export const BROWSER = { 'sec-fetch-site': 'same-origin', host: 'localhost:8080', origin: 'http://localhost:8080' }

/**
 * Opens the application on an empty database without accounts. By default, requests come from the same
 * machine.
 * @param overrides see `openTestApi`
 */
export async function openUsersApi(overrides?: Partial<ApiDeps>) {
  const own = await openOwnTestDatabase()
  const api = await openTestApi(overrides && { trustProxy: false, ...overrides }, own)
  const { prisma } = api.database
  await prisma.instance.create({ data: { id: 1, secretFingerprint: 'not checked by the API' } })

  /** Sends a request as a browser would, with or without a cookie. */
  const ask = (method: string, path: string, options: Ask = {}): Promise<LightMyRequestResponse> => {
    const { cookie, body, headers } = options
    return api.app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...BROWSER,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      ...(options.address !== undefined && { remoteAddress: options.address }),
    })
  }
  const signIn = async (email: string, options: Ask = {}) => {
    const response = await ask('POST', '/dashboard/api/sign-in', { body: { email, password: PASSWORD }, ...options })
    return toCookie(response.headers['set-cookie'])
  }
  let auth: Auth | undefined
  /**
   * Starts a session without the password, because hashing it takes an eighth of a second. `signIn`
   * signs in with the password.
   */
  const startSession = async (userId: string, method: SignInMethod = 'password') => {
    auth ??= buildAuth(api.deps)
    const started = await auth.api.startSession({
      body: { userId, method },
      headers: new Headers(BROWSER),
      returnHeaders: true,
    })
    return toCookie(started.headers.getSetCookie())
  }
  /** Creates a signed-in user. */
  const makeUser = async (input: { isAdmin?: boolean; role?: Role; projectId?: string; name?: string } = {}) => {
    const { isAdmin = false, role, projectId = api.project.id, name = 'Test User' } = input
    const email = `${randomUUID()}@example.com`
    const { userId } = await insertAccount(
      prisma,
      { name, email, passwordHash: await HASH },
      { isAdmin, isVerified: false },
    )
    if (role) await prisma.membership.create({ data: { projectId, userId, role } })
    return { userId, email, cookie: await startSession(userId) }
  }
  return { ...api, ask, signIn, startSession, makeUser }
}

export interface Ask {
  readonly cookie?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

/**
 * Returns the session cookie that a browser sends back, or an empty string if the response sets no
 * session cookie.
 */
export function toCookie(setCookie: string | string[] | undefined): string {
  const [first] = [setCookie ?? []].flat().filter((one) => /corrigenda_session=[^;]/.test(one))
  return first?.split(';')[0] ?? ''
}
