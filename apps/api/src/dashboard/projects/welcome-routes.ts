import { Welcome } from '@corrigenda/contracts'
import { getWelcome } from '@corrigenda/core/ops'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Gate } from '../../auth/gate.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string() })

/** The onboarding checklist of a project. */
export const welcomeRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; gate: Gate }> = async (app, { deps, gate }) => {
  app.get(
    '/dashboard/api/projects/:projectId/welcome',
    { onRequest: gate.role('viewer'), schema: { params: ProjectParams, response: { 200: Welcome } } },
    (request) => getWelcome(deps, request.params.projectId),
  )
}
