import { AccountSessionList } from '@corrigenda/contracts'
import { endOtherSessions, endSession, listSessions } from '@corrigenda/core/accounts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Gate } from '../../auth/gate.ts'
import type { ApiDeps } from '../../http/deps.ts'

const SessionParams = z.object({ id: z.string().max(100) })
const SESSIONS = '/dashboard/api/account/sessions'

/** Endpoints of a user's active sessions. */
export const accountSessionRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; gate: Gate }> = async (
  app,
  { deps, gate },
) => {
  const onRequest = gate.user

  app.get(SESSIONS, { onRequest, schema: { response: { 200: AccountSessionList } } }, async (request) => ({
    sessions: await listSessions(deps, gate.getUser(request)),
  }))

  app.delete(
    `${SESSIONS}/:id`,
    { onRequest, schema: { params: SessionParams, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId } = gate.getUser(request)
      await endSession(deps, { userId, id: request.params.id })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${SESSIONS}/revoke-others`,
    { onRequest, schema: { response: { 204: z.void() } } },
    async (request, reply) => {
      await endOtherSessions(deps, gate.getUser(request))
      return reply.code(204).send(undefined)
    },
  )
}
