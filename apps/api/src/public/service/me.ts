import { Me } from '@corrigenda/contracts'
import { getKeyFacts } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { refuseAddress } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { me } from '../openapi/examples.ts'

/** Returns the properties of the caller's key. Any scope is sufficient. */
export const meRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
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
