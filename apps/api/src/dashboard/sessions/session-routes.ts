import { DashboardSession, SetupRequest, SignInRequest } from '@corrigenda/contracts'
import { createFirstAccount, forgetSignInTries, isSetUp, isSetupToken, takeSignInTry } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findDevice } from '../../auth/device-cookie.ts'
import { findDemoUser } from '../../auth/find-demo-user.ts'
import type { Guard } from '../../auth/guard.ts'
import { isSetupOpen } from '../../auth/is-setup-open.ts'
import type { UserSessions } from '../../auth/user-sessions.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { EdgeLimitError } from '../../http/limit-edge.ts'
import { describeSession } from './describe-session.ts'

/** Endpoints for the current session, the first account, sign-in and sign-out. */
export const sessionRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; userSessions: UserSessions; guard: Guard }> = async (
  app,
  { deps, userSessions, guard },
) => {
  // Password checks are costly. Attempts are counted before the check, so that one IP address
  // cannot overload this process.
  const countTry = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })

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
      if (await isSetUp(deps)) throw new AppError('already_set_up', 'The first account already exists. Sign in.')
      if (!isSetupOpen(deps, request) && !(await isSetupToken(deps, token))) {
        throw new AppError(
          'setup_token_wrong',
          'The setup token is wrong. To find the correct token, search the service log for "/setup".',
        )
      }
      const passwordHash = await userSessions.hashPassword(request, password)
      const { userId } = await createFirstAccount(deps, { name, email, passwordHash })
      const session = await describeSession(deps, request, await userSessions.startSession({ request, reply }, userId))
      return reply.code(201).send(session)
    },
  )

  app.post(
    '/dashboard/api/sign-in',
    { onRequest: guard.sameSite, schema: { body: SignInRequest, response: { 200: DashboardSession } } },
    async (request, reply) => {
      const tries = await countTry(request)
      if (!tries.isAllowed && tries.isExceeded) throw new EdgeLimitError(tries.ttlInSeconds)
      const { email } = request.body
      const subject = { email, address: request.ip, device: findDevice(deps, request, email) }
      await takeSignInTry(deps, subject)
      const user = await userSessions.signIn({ request, reply }, request.body)
      if (!user) throw new AppError('sign_in_failed', 'The email address or the password is wrong.')
      await forgetSignInTries(deps, subject)
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
