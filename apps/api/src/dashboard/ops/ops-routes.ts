import { DeleteUserRequest, OpsState, OpsUser, OpsUserList, UpdateOpsUserRequest } from '@corrigenda/contracts'
import { deleteUser, listOpsUsers, setAdmin } from '@corrigenda/core/accounts'
import { VERSION } from '@corrigenda/core/base'
import { getOpsState } from '@corrigenda/core/ops'
import { z } from 'zod'
import type { DashboardRoutes } from '../../auth/guard.ts'

const UserParams = z.object({ userId: z.string().max(100) })
const USERS = '/dashboard/api/ops/people'

/** The state of the service and all accounts, for admins. They can grant admin access and delete accounts. */
export const opsRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  const backend = deps.board?.backend ?? 'postgres'

  app.get('/dashboard/api/ops', { onRequest: guard.admin, schema: { response: { 200: OpsState } } }, () =>
    getOpsState(deps, { version: VERSION, backend }),
  )

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
      return setAdmin(guard.audited(request), { ...request.params, ...request.body, actorId })
    },
  )

  app.delete(
    `${USERS}/:userId`,
    { onRequest: fresh, schema: { params: UserParams, body: DeleteUserRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      const actorId = guard.getUser(request).userId
      await deleteUser(guard.audited(request), { ...request.params, ...request.body, actorId })
      return reply.code(204).send(undefined)
    },
  )
}
