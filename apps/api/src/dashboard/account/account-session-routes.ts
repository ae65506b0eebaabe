import { AccountSessionList } from '@corrigenda/contracts'
import { endOtherSessions, endSession, listSessions } from '@corrigenda/core/accounts'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const SessionParams = z.object({ id: z.string().max(100) })
const SESSIONS = '/dashboard/api/account/sessions'

/** Endpoints for the user's active sessions. */
export const accountSessionRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (
  app,
  { deps, guard },
) => {
  const audited = (request: FastifyRequest) => ({ ...deps, audit: guard.getAudit(request) })
  const onRequest = guard.user

  app.get(SESSIONS, { onRequest, schema: { response: { 200: AccountSessionList } } }, async (request) => ({
    sessions: await listSessions(deps, guard.getUser(request)),
  }))

  app.delete(
    `${SESSIONS}/:id`,
    { onRequest, schema: { params: SessionParams, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId } = guard.getUser(request)
      await endSession(audited(request), { userId, id: request.params.id })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${SESSIONS}/revoke-others`,
    { onRequest, schema: { response: { 204: z.void() } } },
    async (request, reply) => {
      await endOtherSessions(audited(request), guard.getUser(request))
      return reply.code(204).send(undefined)
    },
  )
}
