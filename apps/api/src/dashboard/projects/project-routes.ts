import {
  CreateProjectRequest,
  DashboardProject,
  DashboardProjectList,
  DeleteProjectRequest,
} from '@corrigenda/contracts'
import { createOwnProject, deleteProject, listOwnProjects } from '@corrigenda/core/projects'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Gate } from '../../auth/gate.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const PROJECTS = '/dashboard/api/projects'

export const projectRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; gate: Gate }> = async (app, { deps, gate }) => {
  app.get(PROJECTS, { onRequest: gate.user, schema: { response: { 200: DashboardProjectList } } }, async (request) => ({
    projects: await listOwnProjects(deps, gate.getUser(request)),
  }))

  app.post(
    PROJECTS,
    { onRequest: gate.admin, schema: { body: CreateProjectRequest, response: { 201: DashboardProject } } },
    async (request, reply) => {
      const input = { userId: gate.getUser(request).userId, request: request.body }
      return reply.code(201).send(await createOwnProject(deps, input))
    },
  )

  app.delete(
    `${PROJECTS}/:projectId`,
    {
      onRequest: gate.role('owner'),
      schema: { params: ProjectParams, body: DeleteProjectRequest, response: { 204: z.void() } },
    },
    async (request, reply) => {
      const { projectId } = request.params
      await deleteProject(deps, { projectId, name: request.body.name })
      return reply.code(204).send(undefined)
    },
  )
}
