import { AcceptedInvitation, AcceptInvitationRequest, InvitationFacts } from '@corrigenda/contracts'
import { acceptInvitation, findInvitation, type Guest } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import { z } from 'zod'
import type { DashboardRoutes } from '../../auth/guard.ts'
import { refusePasswords } from '../../auth/passwords.ts'
import { ANONYMOUS, toAuditContext, toUserActor } from '../../auth/to-audit-context.ts'

const InvitationParams = z.object({ token: z.string().max(200) })
const INVITATION = '/dashboard/api/invitations/:token'

/** Endpoints for an invitation link. Unknown, used and expired invitations return the same 404. */
export const invitationRoutes: DashboardRoutes = async (app, { deps, userSessions, guard }) => {
  app.get(
    INVITATION,
    { schema: { params: InvitationParams, response: { 200: InvitationFacts } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const invitation = await findInvitation(deps, request.params.token)
      if (!invitation) throw new AppError('not_found', 'Not found.')
      const { projectName, role, email } = invitation
      return { projectName, role, email }
    },
  )

  app.post(
    `${INVITATION}/accept`,
    {
      onRequest: guard.sameSite,
      schema: { params: InvitationParams, body: AcceptInvitationRequest, response: { 200: AcceptedInvitation } },
    },
    async (request, reply) => {
      const { token } = request.params
      const { body } = request
      const exchange = { request, reply }
      // Rejects invalid links before the password is hashed, because hashing is costly.
      if (!(await findInvitation(deps, token))) throw new AppError('not_found', 'Not found.')
      const user = await userSessions.findUser(exchange)
      const audit = toAuditContext(request, user ? toUserActor(user) : ANONYMOUS)
      const accept = (guest: Guest) => acceptInvitation({ ...deps, audit }, { token, guest })
      if (user) {
        const { projectId } = await accept({ kind: 'user', ...user })
        return { projectId }
      }
      if (!('password' in body)) {
        throw new AppError(
          'sign_in_required',
          'You are not signed in. Sign in, or send a name, an email address and a password.',
        )
      }
      refusePasswords(deps)
      const { name, email, password } = body
      const passwordHash = await userSessions.hashPassword(request, password)
      const { projectId, userId } = await accept({ kind: 'newcomer', account: { name, email, passwordHash } })
      await userSessions.startSession(exchange, userId, 'password')
      return { projectId }
    },
  )
}
