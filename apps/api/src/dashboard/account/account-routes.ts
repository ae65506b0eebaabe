import {
  AccountDetails,
  AccountSessionList,
  ChangePasswordRequest,
  ConfirmRequest,
  DashboardSession,
  DeleteAccountRequest,
  ProviderName,
  ProviderStart,
  UpdateAccountRequest,
} from '@corrigenda/contracts'
import {
  deleteUser,
  endOtherSessions,
  endSession,
  forgetSignInTries,
  getAccount,
  listSessions,
  refuseLinked,
  refuseStaleSession,
  renameAccount,
  setFirstPassword,
  takeSignInTry,
  unlinkProvider,
} from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findDevice } from '../../auth/device-cookie.ts'
import type { DashboardRoutes } from '../../auth/guard.ts'
import { refusePasswords } from '../../auth/passwords.ts'
import { describeSession } from '../sessions/session-routes.ts'

const ProviderParams = z.object({ provider: ProviderName })
const ACCOUNT = '/dashboard/api/account'

const SessionParams = z.object({ id: z.string().max(100) })
const SESSIONS = '/dashboard/api/account/sessions'

/** Endpoints for the user's own account. */
export const accountRoutes: DashboardRoutes = async (app, { deps, userSessions, guard }) => {
  const onRequest = guard.user
  const fresh = [guard.user, guard.fresh]
  const { password: passwords, github, oidc } = deps.signIn
  const configured = [...(github ? (['github'] as const) : []), ...(oidc ? (['oidc'] as const) : [])]

  /** Counts a password attempt before the password is verified, as sign-in does. */
  const countTry = async (request: FastifyRequest, work: () => Promise<void>): Promise<void> => {
    const { email } = guard.getUser(request)
    const subject = { email, address: request.ip, device: findDevice(deps, request, email) }
    await takeSignInTry(deps, subject)
    await work()
    await forgetSignInTries(deps, subject)
  }

  app.get(ACCOUNT, { onRequest, schema: { response: { 200: AccountDetails } } }, (request) =>
    getAccount(deps, { user: guard.getUser(request), providers: configured, passwords }),
  )

  app.patch(
    ACCOUNT,
    { onRequest, schema: { body: UpdateAccountRequest, response: { 200: DashboardSession } } },
    async (request) => {
      const user = guard.getUser(request)
      const { name } = request.body
      await renameAccount(guard.audited(request), { userId: user.userId, name })
      return describeSession(deps, request, { ...user, name })
    },
  )

  app.delete(
    ACCOUNT,
    { onRequest: fresh, schema: { body: DeleteAccountRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId } = guard.getUser(request)
      await deleteUser(guard.audited(request), { userId, email: request.body.email, actorId: null })
      await userSessions.signOut({ request, reply })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${ACCOUNT}/confirm`,
    { onRequest, schema: { body: ConfirmRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      refusePasswords(deps)
      const user = guard.getUser(request)
      await countTry(request, async () => {
        const again = await userSessions.signIn({ request, reply }, { email: user.email, ...request.body })
        if (again) return
        const { hasPassword } = await getAccount(deps, { user, providers: [], passwords })
        if (!hasPassword)
          throw new AppError('no_password', 'This account has no password. Sign in again with its identity provider.')
        throw new AppError('password_wrong', 'The password is wrong.')
      })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${ACCOUNT}/password`,
    { onRequest, schema: { body: ChangePasswordRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      refusePasswords(deps)
      const user = guard.getUser(request)
      const { currentPassword, newPassword } = request.body
      if (currentPassword !== undefined) {
        await countTry(request, () => userSessions.changePassword({ request, reply }, { currentPassword, newPassword }))
        return reply.code(204).send(undefined)
      }
      refuseStaleSession(user)
      const passwordHash = await userSessions.hashPassword(request, newPassword)
      await setFirstPassword(guard.audited(request), { ...user, passwordHash })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${ACCOUNT}/providers/:provider`,
    { onRequest: fresh, schema: { params: ProviderParams, response: { 200: ProviderStart } } },
    async (request, reply) => {
      const { provider } = request.params
      if (deps.signIn[provider] === null) throw new AppError('not_found', 'Not found.')
      const { userId } = guard.getUser(request)
      await refuseLinked(deps, { userId, provider })
      const url = await userSessions.startLink({ request, reply }, provider)
      return { url }
    },
  )

  app.delete(
    `${ACCOUNT}/providers/:provider`,
    { onRequest: fresh, schema: { params: ProviderParams, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId, sessionId } = guard.getUser(request)
      await unlinkProvider(guard.audited(request), { userId, sessionId, ...request.params, passwords })
      return reply.code(204).send(undefined)
    },
  )

  app.get(SESSIONS, { onRequest, schema: { response: { 200: AccountSessionList } } }, async (request) => ({
    sessions: await listSessions(deps, guard.getUser(request)),
  }))

  app.delete(
    `${SESSIONS}/:id`,
    { onRequest, schema: { params: SessionParams, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId } = guard.getUser(request)
      await endSession(guard.audited(request), { userId, id: request.params.id })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${SESSIONS}/revoke-others`,
    { onRequest, schema: { response: { 204: z.void() } } },
    async (request, reply) => {
      await endOtherSessions(guard.audited(request), guard.getUser(request))
      return reply.code(204).send(undefined)
    },
  )
}
