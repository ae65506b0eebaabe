import {
  DashboardSession,
  ProviderName,
  ProviderStart,
  SetupProviderRequest,
  SetupRequest,
  SignInLinkRequest,
  SignInRequest,
} from '@corrigenda/contracts'
import {
  createFirstAccount,
  forgetSignInTries,
  isSetUp,
  isSetupToken,
  type SignedInUser,
  takeSignInLink,
  takeSignInTry,
} from '@corrigenda/core/accounts'
import { recordFailedSignIn } from '@corrigenda/core/audit'
import { AppError, VERSION } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findDevice } from '../../auth/device-cookie.ts'
import type { DashboardRoutes } from '../../auth/guard.ts'
import { findDemoUser, isLocalVisit } from '../../auth/local-visits.ts'
import { refusePasswords } from '../../auth/passwords.ts'
import { ANONYMOUS, toAuditContext } from '../../auth/to-audit-context.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { TooManyRequestsError } from '../../http/limit-requests.ts'

const ProviderParams = z.object({ provider: ProviderName })

/** Endpoints for the current session, the first account, sign-in and sign-out. */
export const sessionRoutes: DashboardRoutes = async (app, { deps, userSessions, guard }) => {
  const rateLimit = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })
  // Password checks are costly. Attempts are counted before the check, so that one IP address
  // cannot overload this process.
  const countTry = async (request: FastifyRequest) => {
    const tries = await rateLimit(request)
    if (!tries.isAllowed && tries.isExceeded) throw new TooManyRequestsError(tries.ttlInSeconds)
  }
  const checkSetup = async (request: FastifyRequest, token: string) => {
    if (await isSetUp(deps)) throw new AppError('already_set_up', 'The first account already exists. Sign in.')
    if (isLocalVisit(deps, request) || (await isSetupToken(deps, token))) return
    throw new AppError(
      'setup_token_wrong',
      'The setup token is wrong. To find the correct token, search the service log for "/setup".',
    )
  }

  app.get('/dashboard/api/session', { schema: { response: { 200: DashboardSession } } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const exchange = { request, reply }
    const user = (await userSessions.findUser(exchange)) ?? (await findDemoUser(deps, userSessions, exchange))
    return describeSession(deps, request, user)
  })

  app.post(
    '/dashboard/api/setup',
    { onRequest: guard.sameSite, schema: { body: SetupRequest, response: { 201: DashboardSession } } },
    async (request, reply) => {
      const { name, email, password, token = '' } = request.body
      refusePasswords(deps)
      await checkSetup(request, token)
      const passwordHash = await userSessions.hashPassword(request, password)
      const { userId } = await createFirstAccount(
        { ...deps, audit: toAuditContext(request, ANONYMOUS) },
        { name, email, passwordHash },
      )
      const user = await userSessions.startSession({ request, reply }, userId, 'password')
      return reply.code(201).send(await describeSession(deps, request, user))
    },
  )

  app.post(
    '/dashboard/api/setup/:provider',
    {
      onRequest: guard.sameSite,
      schema: { params: ProviderParams, body: SetupProviderRequest, response: { 200: ProviderStart } },
    },
    async (request, reply) => {
      const { provider } = request.params
      if (deps.signIn[provider] === null) throw new AppError('not_found', 'Not found.')
      await checkSetup(request, request.body.token ?? '')
      const input = { provider, next: '/', invitation: null, isSetup: true }
      return { url: await userSessions.startProvider({ request, reply }, input) }
    },
  )

  app.post(
    '/dashboard/api/sign-in',
    { onRequest: guard.sameSite, schema: { body: SignInRequest, response: { 200: DashboardSession } } },
    async (request, reply) => {
      refusePasswords(deps)
      await countTry(request)
      const { email } = request.body
      const subject = { email, address: request.ip, device: findDevice(deps, request, email) }
      await takeSignInTry(deps, subject)
      const user = await userSessions.signIn({ request, reply }, request.body)
      if (!user) {
        await recordFailedSignIn({ ...deps, audit: toAuditContext(request, ANONYMOUS) }, { email })
        throw new AppError('sign_in_failed', 'The email address or the password is wrong.')
      }
      await forgetSignInTries(deps, subject)
      return describeSession(deps, request, user)
    },
  )

  app.post(
    '/dashboard/api/sign-in/link',
    { onRequest: guard.sameSite, schema: { body: SignInLinkRequest, response: { 200: DashboardSession } } },
    async (request, reply) => {
      await countTry(request)
      const userId = await takeSignInLink(deps, request.body.token)
      if (userId === null) {
        throw new AppError(
          'sign_in_link_invalid',
          'This sign-in link is invalid, used or expired. Create a new one with "corrigenda user sign-in-link".',
        )
      }
      const user = await userSessions.startSession({ request, reply }, userId, 'link')
      deps.log.warn({ userId, address: request.ip }, 'user signed in with a link from the command line')
      return describeSession(deps, request, user)
    },
  )

  app.post(
    '/dashboard/api/sign-out',
    { onRequest: guard.sameSite, schema: { response: { 204: z.void() } } },
    async (request, reply) => {
      await userSessions.signOut({ request, reply })
      return reply.code(204).send(undefined)
    },
  )
}

/** Returns the data that the pages need before they render. */
export async function describeSession(
  deps: ApiDeps,
  request: FastifyRequest,
  user: SignedInUser | null,
): Promise<DashboardSession> {
  const isDone = user !== null || (await isSetUp(deps))
  const { password, github, oidc } = deps.signIn
  return {
    user: user && { id: user.userId, name: user.name, email: user.email, isAdmin: user.isAdmin },
    setup: isDone ? 'done' : isLocalVisit(deps, request) ? 'open' : 'token_required',
    signIn: {
      password,
      github: github !== null,
      oidc: oidc && { name: oidc.name, hasAdminGroups: (oidc.groups?.rules.admins.length ?? 0) > 0 },
    },
    demo: deps.demoSignIn,
    mayConnectModel:
      deps.connectModel !== null && user?.isAdmin === true && deps.demoSignIn && isLocalVisit(deps, request),
    gitHosts: user === null ? [] : deps.allowedRepositoryHosts.filter((one) => typeof one !== 'string'),
    version: VERSION,
  }
}
