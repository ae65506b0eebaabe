import { ProjectUsage, ProjectUsageQuery } from '@corrigenda/contracts'
import { getProjectUsage } from '@corrigenda/core/usage'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })

/** A project's usage and cost over time, for its owners. */
export const usageRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  app.get(
    '/dashboard/api/projects/:projectId/usage',
    {
      onRequest: guard.role('owner'),
      schema: { params: ProjectParams, querystring: ProjectUsageQuery, response: { 200: ProjectUsage } },
    },
    (request) => getProjectUsage(deps, { ...request.params, ...request.query }),
  )
}
