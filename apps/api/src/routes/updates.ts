import { Deployment, DeploymentPage, ListDeploymentsQuery, UpdateAccepted } from '@corrigenda/contracts'
import { AppError, createDeployment, getDeployment, isAddressAllowed, listDeployments } from '@corrigenda/core'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Authenticate, requireAccess } from '../authenticate.ts'
import type { ApiDeps } from '../deps.ts'

const ProjectParams = z.object({ projectId: z.string() })
const StatusParams = z.object({ statusId: z.string() })

/**
 * Deployments of the documentation, at the hosted API's paths. Triggering needs the scope project:deploy; every key of the project may look how its
 * deployments went, so that who triggers can wait for the end.
 */
export const updateRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const readable = async (request: FastifyRequest): Promise<string> => {
    const principal = await authenticate(request)
    const { projectId = principal.projectId } = request.params as { projectId?: string }
    if (projectId !== principal.projectId) throw new AppError('not_found', 'Not found.')
    if (!isAddressAllowed(request.ip, principal.allowedCidrs)) {
      throw new AppError('address_not_allowed', 'This API key may not be used from this address.')
    }
    return projectId
  }

  // No schema for the body: there is nothing to say in it, so none, an empty one and `{}` are all fine.
  app.post(
    '/v1/project/update/:projectId',
    {
      onRequest: requireAccess(authenticate, 'project:deploy'),
      schema: { params: ProjectParams, response: { 202: UpdateAccepted } },
    },
    async (request, reply) => {
      const input = { projectId: request.params.projectId, jobId: null, source: 'api' } as const
      return reply.code(202).send(await deps.monitor.run(() => createDeployment(deps, input)))
    },
  )

  app.get(
    '/v1/project/update-status/:statusId',
    { schema: { params: StatusParams, response: { 200: Deployment } } },
    async (request) => {
      const projectId = await readable(request)
      return deps.monitor.run(() => getDeployment(deps, { projectId, statusId: request.params.statusId }))
    },
  )

  app.get(
    '/v1/project/:projectId/updates',
    {
      onRequest: async (request) => void (await readable(request)),
      schema: { params: ProjectParams, querystring: ListDeploymentsQuery, response: { 200: DeploymentPage } },
    },
    async (request) => deps.monitor.run(() => listDeployments(deps, { ...request.params, ...request.query })),
  )
}
