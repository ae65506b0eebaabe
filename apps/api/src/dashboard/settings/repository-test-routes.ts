import { RepositoryTest, RepositoryTestAccepted } from '@corrigenda/contracts'
import { createConnectionCheck, getConnectionCheck } from '@corrigenda/core/connection-checks'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const TestParams = z.object({ projectId: z.string().max(100), id: z.string().max(100) })
const TESTS = '/dashboard/api/projects/:projectId/repository-tests'

/**
 * Endpoints for testing a project's connection to its repository. Workers run the tests, because
 * the API never accesses repositories.
 */
export const repositoryTestRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (
  app,
  { deps, guard },
) => {
  app.post(
    TESTS,
    { onRequest: guard.role('owner'), schema: { params: ProjectParams, response: { 202: RepositoryTestAccepted } } },
    async (request, reply) => {
      const id = await createConnectionCheck({ ...deps, audit: guard.getAudit(request) }, request.params.projectId)
      return reply.code(202).send({ id })
    },
  )

  app.get(
    `${TESTS}/:id`,
    { onRequest: guard.role('member'), schema: { params: TestParams, response: { 200: RepositoryTest } } },
    (request) => getConnectionCheck(deps, request.params),
  )
}
