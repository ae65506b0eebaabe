import { DeleteUserRequest, OpsUser, OpsUserList, UpdateOpsUserRequest } from '@corrigenda/contracts'
import { deleteUser, listOpsUsers, setAdmin } from '@corrigenda/core/accounts'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const UserParams = z.object({ userId: z.string().max(100) })
const USERS = '/dashboard/api/ops/people'

/** All accounts, for admins. Admins can grant and revoke admin access and delete accounts. */
export const opsUserRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const audited = (request: FastifyRequest) => ({ ...deps, audit: guard.getAudit(request) })
  const fresh = [guard.admin, guard.fresh]

  app.get(USERS, { onRequest: guard.admin, schema: { response: { 200: OpsUserList } } }, async (request) => {
    const actorId = guard.getUser(request).userId
    return { users: await listOpsUsers(deps, { actorId }) }
  })

  app.patch(
    `${USERS}/:userId`,
    {
      onRequest: fresh,
      schema: { params: UserParams, body: UpdateOpsUserRequest, response: { 200: OpsUser } },
    },
    (request) => {
      const actorId = guard.getUser(request).userId
      return setAdmin(audited(request), { ...request.params, ...request.body, actorId })
    },
  )

  app.delete(
    `${USERS}/:userId`,
    { onRequest: fresh, schema: { params: UserParams, body: DeleteUserRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      const actorId = guard.getUser(request).userId
      await deleteUser(audited(request), { ...request.params, ...request.body, actorId })
      return reply.code(204).send(undefined)
    },
  )
}
