import {
  CreateProjectRequest,
  DashboardProject,
  DashboardProjectList,
  DeleteProjectRequest,
} from '@corrigenda/contracts'
import { createOwnProject, deleteProject, listOwnProjects } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const PROJECTS = '/dashboard/api/projects'

export const projectRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const audited = (request: FastifyRequest) => ({ ...deps, audit: guard.getAudit(request) })

  app.get(
    PROJECTS,
    { onRequest: guard.user, schema: { response: { 200: DashboardProjectList } } },
    async (request) => ({
      projects: await listOwnProjects(deps, guard.getUser(request)),
    }),
  )

  app.post(
    PROJECTS,
    { onRequest: guard.admin, schema: { body: CreateProjectRequest, response: { 201: DashboardProject } } },
    async (request, reply) => {
      const input = { userId: guard.getUser(request).userId, request: request.body }
      return reply.code(201).send(await createOwnProject(audited(request), input))
    },
  )

  app.delete(
    `${PROJECTS}/:projectId`,
    {
      onRequest: guard.role('owner'),
      schema: { params: ProjectParams, body: DeleteProjectRequest, response: { 204: z.void() } },
    },
    async (request, reply) => {
      const { projectId } = request.params
      await deleteProject(audited(request), { projectId, name: request.body.name })
      return reply.code(204).send(undefined)
    },
  )
}
