import { DeletePersonRequest, OpsPerson, OpsPersonList, UpdateOpsPersonRequest } from '@corrigenda/contracts'
import { deletePerson, listOpsPeople, setAdmin } from '@corrigenda/core/accounts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Gate } from '../../auth/gate.ts'
import type { ApiDeps } from '../../http/deps.ts'

const PersonParams = z.object({ userId: z.string().max(100) })
const PEOPLE = '/dashboard/api/ops/people'

/** All accounts, for admins. Admins can grant and revoke admin rights and delete accounts. */
export const opsPeopleRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; gate: Gate }> = async (app, { deps, gate }) => {
  const fresh = [gate.admin, gate.fresh]

  app.get(PEOPLE, { onRequest: gate.admin, schema: { response: { 200: OpsPersonList } } }, async (request) => {
    const actorId = gate.getPerson(request).userId
    return { people: await listOpsPeople(deps, { actorId }) }
  })

  app.patch(
    `${PEOPLE}/:userId`,
    {
      onRequest: fresh,
      schema: { params: PersonParams, body: UpdateOpsPersonRequest, response: { 200: OpsPerson } },
    },
    (request) => {
      const actorId = gate.getPerson(request).userId
      return setAdmin(deps, { ...request.params, ...request.body, actorId })
    },
  )

  app.delete(
    `${PEOPLE}/:userId`,
    { onRequest: fresh, schema: { params: PersonParams, body: DeletePersonRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      const actorId = gate.getPerson(request).userId
      await deletePerson(deps, { ...request.params, ...request.body, actorId })
      return reply.code(204).send(undefined)
    },
  )
}
