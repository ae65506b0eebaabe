import { PASSWORD_LENGTH, ProviderName, UserName } from '@corrigenda/contracts'
import { claimFirstAdmin, findInvitation, type GroupRights, isSetUp, saveGithubLogin } from '@corrigenda/core/accounts'
import { newId } from '@corrigenda/core/base'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthEndpoint, getOAuthState } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { z } from 'zod'
import type { ApiDeps } from '../http/deps.ts'
import { buildGroupSignIn } from './build-group-sign-in.ts'
import { buildReadProfile } from './build-read-profile.ts'
import { ADDRESS_HEADER, toCookiePrefix, toSessionCookie, toSessionSecret } from './session-cookies.ts'

export const AUTH_PATH = '/dashboard/api/auth'
const SESSION_SECONDS = 30 * 86_400
/**
 * Interval, in seconds, at which an active session is extended and its last-seen time is updated.
 */
const SEEN_EVERY_SECONDS = 300

const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: 'usr',
  session: 'ses',
  account: 'acc',
  verification: 'ver',
}

/**
 * Configures the library that handles passwords, sessions and identity providers. Its own endpoints
 * are not mounted, except for the provider callback. Sign-up rules, rate limits and responses are
 * implemented by this service (docs/decisions/0015-use-better-auth-for-sign-in-only.md).
 */
export function buildAuth(deps: ApiDeps) {
  const { prisma, authKey, publicUrl, log, signIn } = deps
  const groups = buildGroupSignIn(deps)
  const logins = buildGithubLogins(deps)
  const discoveryUrl = `${signIn.oidc?.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const isSecure = publicUrl.startsWith('https:')
  return betterAuth({
    appName: 'Corrigenda',
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secret: toSessionSecret(authKey),
    database: prismaAdapter(prisma, { provider: 'postgresql', transaction: true }),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // The log arguments can contain requests, tokens and rows, so only the message is logged.
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ from: 'auth' }, String(message)),
    },
    onAPIError: { errorURL: '/sign-in' },
    emailAndPassword: {
      enabled: signIn.password,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    user: {
      // Runs at every sign-in through a provider, before an account is created.
      validateUserInfo: ({ source }, { request }) => {
        const { providerId, profile = {} } = source.oauth ?? {}
        if (providerId === 'github') logins.read(request, profile)
        if (providerId !== 'oidc' || source.action === 'link-account') return
        const error = groups.read(request, profile)
        if (error !== null) return { error }
      },
      additionalFields: {
        isAdmin: { type: 'boolean', input: false, required: false, defaultValue: false },
        isDemo: { type: 'boolean', input: false, required: false, defaultValue: false },
      },
    },
    session: {
      additionalFields: { method: { type: 'string', input: false, required: false } },
      expiresIn: SESSION_SECONDS,
      updateAge: SEEN_EVERY_SECONDS,
      cookieCache: { enabled: false },
    },
    // An email address that a provider has verified does not prove ownership of the local account
    // with the same address, because the local address is unverified. A signed-in user can link
    // accounts with any email address.
    account: {
      accountLinking: { enabled: true, disableImplicitLinking: true, allowDifferentEmails: true },
      updateAccountOnSignIn: false,
    },
    advanced: {
      // The service sets the cookie prefix, because the library supports only __Secure-.
      useSecureCookies: false,
      cookiePrefix: toCookiePrefix(publicUrl),
      cookies: { session_token: { name: toSessionCookie(publicUrl) } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => newId(ID_PREFIXES[model] ?? 'row') },
    },
    socialProviders: signIn.github === null ? {} : { github: { ...signIn.github, disableDefaultScope: false } },
    databaseHooks: {
      user: {
        create: {
          // Runs only for users who sign in through a provider for the first time.
          before: async (user, context) => {
            const state = await getOAuthState()
            const invitation = typeof state?.invitation === 'string' ? state.invitation : null
            const isFirst = state?.isSetup === true && !(await isSetUp(deps))
            const who = {
              email: user.email,
              isVerified: user.emailVerified,
              invitation,
              rights: groups.find(context?.request),
            }
            if (!isFirst && !(await mayJoin(deps, who))) {
              throw new APIError('FORBIDDEN', {
                code: 'not_invited',
                message: 'This account has not been invited.',
              })
            }
            const name = UserName.safeParse(user.name.slice(0, 100))
            return { data: { ...user, name: name.success ? name.data : user.email } }
          },
        },
      },
      session: {
        create: {
          before: async (session, context) => {
            const method = session.method ?? findProvider(context) ?? 'password'
            if (method === 'github') await logins.save(context?.request)
            if (method === 'oidc') await groups.apply(context?.request, session.userId)
            if (ProviderName.safeParse(method).success) await setUp(deps, session.userId)
            return { data: { ...session, method } }
          },
        },
      },
      account: {
        create: {
          before: async (account) => ({ data: { ...account, ...NO_TOKENS } }),
          after: (_account, context) => logins.save(context?.request),
        },
        update: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) },
      },
    },
    plugins: [
      startSessionPlugin,
      ...(signIn.oidc === null
        ? []
        : [
            genericOAuth({
              config: [
                {
                  providerId: 'oidc',
                  discoveryUrl,
                  clientId: signIn.oidc.clientId,
                  clientSecret: signIn.oidc.clientSecret,
                  scopes: [...signIn.oidc.scopes],
                  pkce: true,
                  requireIdTokenVerification: true,
                  getUserInfo: buildReadProfile(deps, { discoveryUrl, groupsClaim: signIn.oidc.groups?.claim ?? null }),
                },
              ],
            }),
          ]),
    ],
  })
}

export type Auth = ReturnType<typeof buildAuth>

interface CallbackContext {
  readonly path?: string | undefined
  readonly params?: Record<string, string | undefined> | undefined
}

/** Returns the provider whose callback starts the session. */
const findProvider = (context: CallbackContext | null): string | null =>
  context?.path === '/callback/:id' ? (context.params?.id ?? null) : null

/** Makes the user the first admin, if the sign-in was started from the setup page. */
async function setUp(deps: ApiDeps, userId: string): Promise<void> {
  if ((await getOAuthState())?.isSetup !== true || (await claimFirstAdmin(deps, { userId }))) return
  throw new APIError('CONFLICT', { code: 'already_set_up', message: 'The first account already exists.' })
}

/** Provider tokens are not used, so they are not stored. */
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

/** Starts a session for an account that was just created, without asking for the password again. */
const startSessionPlugin = {
  id: 'start-session',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string(), method: z.string() }), requireHeaders: true },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
        if (!user) throw new APIError('NOT_FOUND')
        const session = await ctx.context.internalAdapter.createSession(user.id, false, { method: ctx.body.method })
        await setSessionCookie(ctx, { session, user })
        return { token: session.token }
      },
    ),
  },
} as const

/**
 * Returns true if a new user from an identity provider may create an account. This requires a
 * verified email address, and an address on the configured list, a group with rights, or a matching
 * invitation.
 */
async function mayJoin(
  deps: ApiDeps,
  input: { email: string; isVerified: boolean; invitation: string | null; rights: GroupRights | null },
): Promise<boolean> {
  if (!input.isVerified) return false
  if (input.rights && (input.rights.adminGroup !== null || input.rights.roles.length > 0)) return true
  const email = input.email.toLowerCase()
  if (
    deps.signIn.allowedEmails.some((allowed) => (allowed.startsWith('@') ? email.endsWith(allowed) : email === allowed))
  ) {
    return true
  }
  const invitation = input.invitation === null ? null : await findInvitation(deps, input.invitation)
  return invitation !== null && (invitation.email === null || invitation.email === email)
}

/** Logins that GitHub allows, including those of enterprise-managed users. */
const GITHUB_LOGIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})$/

/** Stores the logins of users who sign in with GitHub or link their account. */
function buildGithubLogins(deps: ApiDeps) {
  const found = new WeakMap<Request, { accountId: string; login: string }>()
  return {
    /** Reads the login from the user's profile. */
    read(request: Request | undefined, profile: { id?: unknown; login?: unknown }): void {
      const { id, login } = profile
      if (request === undefined || typeof login !== 'string' || !GITHUB_LOGIN.test(login)) return
      if (typeof id === 'number') found.set(request, { accountId: String(id), login })
    },
    /** Stores the login that was read for this request, once the account exists. */
    async save(request: Request | undefined): Promise<void> {
      const account = request && found.get(request)
      if (account) await saveGithubLogin(deps, account)
    },
  }
}
