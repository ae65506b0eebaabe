import {
  dropSession,
  endSession,
  findSignInProvider,
  forgetOldSessions,
  getSessionUser,
  type SignedInUser,
} from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import { isConnectionError } from '@corrigenda/core/db'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import type { Auth } from './build-auth.ts'
import { rememberDevice } from './device-cookie.ts'
import { hashPassword, limitPasswordWork } from './passwords.ts'
import { ADDRESS_HEADER, signCookiesAgain, toSessionCookie } from './session-cookies.ts'
import { toAuditContext, toUserActor } from './to-audit-context.ts'
import type { Exchange, SignInMethod, UserSessions } from './user-sessions.ts'

const DAY_MS = 86_400_000
/** Sessions of unknown origin count as started with a password. */
const WITHOUT_PASSWORD: ReadonlySet<string> = new Set<SignInMethod>(['github', 'oidc', 'link', 'demo'])

/** Implements user sessions with the library's server API. */
export function buildUserSessions(deps: ApiDeps): UserSessions {
  let auth: { readonly key: Buffer; readonly built: Promise<Auth> } | null = null
  const limitWork = limitPasswordWork()
  /** A request that waits for a hash does not use the database meanwhile. */
  const runPasswordWork = <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    request.detach()
    return limitWork(request.ip, work)
  }
  // Loaded on the first browser request, because API keys do not need the library and loading takes
  // half a second. Built again when the key changes.
  const getAuth = () => {
    const { authKey: key } = deps
    if (auth?.key !== key) auth = { key, built: import('./build-auth.ts').then(({ buildAuth }) => buildAuth(deps)) }
    return auth.built
  }

  /** Returns only the request headers that the library needs. */
  const toHeaders = ({ headers, ip }: FastifyRequest): Headers => {
    const { cookie = '', 'user-agent': userAgent = '' } = headers
    return new Headers({
      cookie: signCookiesAgain(cookie, deps),
      'user-agent': userAgent.slice(0, 500),
      [ADDRESS_HEADER]: ip,
    })
  }

  const findUser = async ({ request, reply }: Exchange): Promise<SignedInUser | null> => {
    const cookie = toSessionCookie(deps.publicUrl)
    if (request.headers.authorization !== undefined || !request.headers.cookie?.includes(`${cookie}=`)) return null
    const { api } = await getAuth()
    const found = await toResult(api.getSession({ headers: toHeaders(request), returnHeaders: true }))
    if ('code' in found) return null
    setCookies(reply, found.headers)
    if (found.response === null) return null
    const { session, user } = found.response
    // The library extends sessions that are in use.
    const isOver = Date.now() - session.createdAt.getTime() > deps.sessionMaxDays * DAY_MS
    if (isOver || (!deps.signIn.password && !WITHOUT_PASSWORD.has(session.method ?? ''))) {
      reply.removeHeader('set-cookie')
      await dropSession(deps, session.id)
      return null
    }
    // The demo account is valid only while the demo runs.
    if (user.isDemo && !deps.demoSignIn) return null
    return {
      sessionId: session.id,
      userId: user.id,
      name: user.name,
      email: user.email,
      isAdmin: user.isAdmin ?? false,
      signedInAt: session.createdAt,
    }
  }

  /**
   * Replaces the browser's previous session with a new one, so that a session id from before the
   * sign-in never becomes authenticated (prevents session fixation).
   */
  const replaceSession = async (exchange: Exchange, start: () => Promise<string>): Promise<SignedInUser> => {
    const before = await findUser(exchange)
    exchange.reply.removeHeader('set-cookie')
    const user = await getSessionUser(deps, await start())
    if (before) await dropSession(deps, before.sessionId)
    await forgetOldSessions(deps, user)
    rememberDevice(deps, exchange.reply, user.email)
    return user
  }

  return {
    findUser,
    async signIn(exchange, body) {
      const { api } = await getAuth()
      const call = runPasswordWork(exchange.request, () =>
        api.signInEmail({ body, headers: toHeaders(exchange.request), returnHeaders: true }),
      )
      const signedIn = await toResult(call)
      if ('code' in signedIn) return null
      return replaceSession(exchange, async () => {
        setCookies(exchange.reply, signedIn.headers)
        return signedIn.response.token
      })
    },
    startSession(exchange, userId, method) {
      return replaceSession(exchange, async () => {
        const { api } = await getAuth()
        const headers = toHeaders(exchange.request)
        const started = await api.startSession({ body: { userId, method }, headers, returnHeaders: true })
        setCookies(exchange.reply, started.headers)
        return started.response.token
      })
    },
    async signOut(exchange) {
      const user = await findUser(exchange)
      exchange.reply.removeHeader('set-cookie')
      // The session is deleted here because the library ignores database errors.
      if (user) {
        const audit = toAuditContext(exchange.request, toUserActor(user))
        await endSession({ ...deps, audit }, { userId: user.userId, id: user.sessionId }).catch(ignoreMissing)
      }
      const { api } = await getAuth()
      const { headers } = await api.signOut({ headers: toHeaders(exchange.request), returnHeaders: true })
      setCookies(exchange.reply, headers)
    },
    async changePassword({ request, reply }, input) {
      const { api } = await getAuth()
      const body = { ...input, revokeOtherSessions: true }
      const changed = await toResult(
        runPasswordWork(request, () => api.changePassword({ body, headers: toHeaders(request), returnHeaders: true })),
      )
      if (!('code' in changed)) {
        reply.removeHeader('set-cookie')
        return setCookies(reply, changed.headers)
      }
      if (changed.code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') {
        throw new AppError(
          'no_password',
          'This account signs in with an identity provider and has no password. An operator can set one with "corrigenda user reset-password".',
        )
      }
      throw new AppError('password_wrong', 'The current password is wrong.')
    },
    async startProvider({ request, reply }, { provider, next, invitation, isSetup }) {
      const { api } = await getAuth()
      const body = {
        provider,
        callbackURL: next,
        errorCallbackURL: isSetup ? '/setup' : next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`,
        disableRedirect: true,
        additionalData: { provider, isSetup, ...(invitation !== null && { invitation }) },
      }
      const started = await api.signInSocial({ body, headers: toHeaders(request), returnHeaders: true })
      setCookies(reply, started.headers)
      return toProviderUrl(started.response.url)
    },
    async startLink({ request, reply }, provider) {
      const { api } = await getAuth()
      const body = {
        provider,
        callbackURL: `/account?linked=${provider}`,
        errorCallbackURL: '/account',
        disableRedirect: true,
        additionalData: { provider },
      }
      const started = await api.linkSocialAccount({ body, headers: toHeaders(request), returnHeaders: true })
      setCookies(reply, started.headers)
      return toProviderUrl(started.response.url)
    },
    async finishProvider(exchange, provider) {
      const { handler } = await getAuth()
      const { state } = exchange.request.query as { state?: unknown }
      if (typeof state === 'string' && !(await wasStartedWith(deps, { state, provider }))) return STATE_MISMATCH
      const before = await findUser(exchange)
      exchange.reply.removeHeader('set-cookie')
      const { request, reply } = exchange
      const response = await handler(new Request(`${deps.publicUrl}${request.url}`, { headers: toHeaders(request) }))
      setCookies(reply, response.headers)
      const isSignedIn = response.headers.getSetCookie().some((one) => one.startsWith(toSessionCookie(deps.publicUrl)))
      if (before && isSignedIn) await dropSession(deps, before.sessionId)
      const location = response.headers.get('location')
      // Only the error code is kept. The description can be set by the provider or by anyone who
      // crafts a link, so it must not appear on the service's pages.
      return (location && toOwnPath(location, deps.publicUrl, ['error_description'])) ?? PROVIDER_FAILED
    },
    hashPassword: (request, password) => runPasswordWork(request, () => hashPassword(password)),
  }
}

/**
 * Copies only session cookies and provider flow cookies, because the library also clears cookies
 * that the service never sets.
 */
function setCookies(reply: FastifyReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    if (/^[^=]*(corrigenda_session|corrigenda\.state)=/.test(cookie)) reply.header('set-cookie', cookie)
  }
}

/** Converts a client error from the library into a value. Rethrows database and server errors. */
async function toResult<T>(call: Promise<T>): Promise<T | { readonly code: string }> {
  try {
    return await call
  } catch (error) {
    const { cause, body, statusCode } = error as {
      cause?: unknown
      body?: { code?: string; cause?: unknown }
      statusCode?: number
    }
    for (const reason of [cause, body?.cause]) if (isConnectionError(reason)) throw reason
    if (typeof statusCode !== 'number' || statusCode >= 500) throw error
    return { code: body?.code ?? 'unknown' }
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error
}

function toProviderUrl(url: string | undefined): string {
  if (!url) throw new AppError('service_unavailable', 'The identity provider is unreachable. Try again.', 5)
  return url
}

const STATE_MISMATCH = '/sign-in?error=state_mismatch'
const PROVIDER_FAILED = '/sign-in?error=provider_failed'

/**
 * Returns true if the sign-in was started with this provider. Without this check, a provider could
 * receive codes that a different provider issued (mix-up attack, RFC 9700, 4.4). The library
 * rejects unknown states.
 */
async function wasStartedWith(
  deps: ApiDeps,
  { state, provider }: { state: string; provider: string },
): Promise<boolean> {
  const started = await findSignInProvider(deps, state)
  return started === null || started === provider
}

/**
 * Returns a safe redirect target: a path on this service, or null. Browsers interpret `//host`,
 * `/\host` and paths with a tab as URLs on a different host, and dot segments can resolve to a path
 * of this kind. The check therefore applies to the parsed URL, not to the input.
 * @param without names of query parameters to omit
 */
export function toOwnPath(text: string, publicUrl: string, without: readonly string[] = []): string | null {
  if (!URL.canParse(text, publicUrl)) return null
  const url = new URL(text, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return null
  for (const name of without) url.searchParams.delete(name)
  return `${url.pathname}${url.search}`
}
