import { Me } from '@corrigenda/contracts'
import { getKeyFacts } from '@corrigenda/core/jobs'
import { type PublicRoutes, refuseAddress } from '../../auth/access.ts'
import { me } from '../openapi/examples.ts'

/** Returns the properties of the caller's key. Any scope is sufficient. */
export const meRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  app.get(
    '/v1/me',
    {
      schema: {
        operationId: 'getMe',
        tags: ['Service'],
        summary: 'Check the key',
        description: "Returns the key's properties, scopes and remaining quotas. Does not use any quota.",
        scope: 'any',
        answers: { 200: { description: 'The key and its project.', examples: { me: { value: me } } } },
        response: { 200: Me },
      },
    },
    async (request, reply) => {
      const principal = await authenticate.key(request)
      refuseAddress(request, principal)
      reply.header('cache-control', 'no-store')
      return getKeyFacts(deps, principal)
    },
  )
}
