import { JobRequest, ModelChoice } from '@corrigenda/contracts'
import { getJobRequest, listModels } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const JobParams = ProjectParams.extend({ jobId: z.string().max(100) })
const PROJECT = '/dashboard/api/projects/:projectId'

/** What the form for a new job offers: the models, and the request of an earlier job. */
export const newJobRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const member = guard.role('member')

  app.get(
    `${PROJECT}/models`,
    { onRequest: member, schema: { params: ProjectParams, response: { 200: ModelChoice } } },
    (request) => listModels(deps, request.params.projectId),
  )

  app.get(
    `${PROJECT}/jobs/:jobId/request`,
    { onRequest: member, schema: { params: JobParams, response: { 200: JobRequest } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { projectId, jobId: id } = request.params
      return getJobRequest(deps, { projectId, id })
    },
  )
}
