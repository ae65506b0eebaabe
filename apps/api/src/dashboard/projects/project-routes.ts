import {
  CreateProjectRequest,
  DashboardProject,
  DashboardProjectList,
  DeleteProjectRequest,
  ProjectUsage,
  ProjectUsageQuery,
  SetupProgress,
} from '@corrigenda/contracts'
import { getSetupProgress } from '@corrigenda/core/ops'
import { createOwnProject, deleteProject, listOwnProjects } from '@corrigenda/core/projects'
import { getProjectUsage } from '@corrigenda/core/usage'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const PROJECTS = '/dashboard/api/projects'

export const projectRoutes: DashboardRoutes = async (app, { deps, guard }) => {
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
      return reply.code(201).send(await createOwnProject(guard.audited(request), input))
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
      await deleteProject(guard.audited(request), { projectId, name: request.body.name })
      return reply.code(204).send(undefined)
    },
  )

  app.get(
    `${PROJECTS}/:projectId/welcome`,
    { onRequest: guard.role('viewer'), schema: { params: ProjectParams, response: { 200: SetupProgress } } },
    (request) => getSetupProgress(deps, request.params.projectId),
  )

  app.get(
    `${PROJECTS}/:projectId/usage`,
    {
      onRequest: guard.role('owner'),
      schema: { params: ProjectParams, querystring: ProjectUsageQuery, response: { 200: ProjectUsage } },
    },
    (request) => getProjectUsage(deps, { ...request.params, ...request.query }),
  )
}
