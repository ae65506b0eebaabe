import { SetupProgress } from '@corrigenda/contracts'
import { getSetupProgress } from '@corrigenda/core/ops'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string() })

/** A project's onboarding checklist. */
export const setupProgressRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (
  app,
  { deps, guard },
) => {
  app.get(
    '/dashboard/api/projects/:projectId/welcome',
    { onRequest: guard.role('viewer'), schema: { params: ProjectParams, response: { 200: SetupProgress } } },
    (request) => getSetupProgress(deps, request.params.projectId),
  )
}
