import { OpsState, Welcome } from '@corrigenda/contracts'
import { getOpsState, getWelcome } from '@corrigenda/core'
import type { onRequestAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'
import { VERSION } from '../../http/version.ts'

const ProjectParams = z.object({ projectId: z.string() })

/** How the service is doing, for operators; how far a project has come, for its people. */
export const opsRoutes: FastifyPluginAsyncZod<{
  deps: ApiDeps
  requireOperator: onRequestAsyncHookHandler
  requireViewer: onRequestAsyncHookHandler
}> = async (app, { deps, requireOperator, requireViewer }) => {
  const backend = deps.board?.backend ?? 'postgres'

  app.get('/dashboard/api/ops', { onRequest: requireOperator, schema: { response: { 200: OpsState } } }, () =>
    deps.monitor.run(() => getOpsState(deps, { version: VERSION, backend })),
  )

  app.get(
    '/dashboard/api/projects/:projectId/welcome',
    { onRequest: requireViewer, schema: { params: ProjectParams, response: { 200: Welcome } } },
    (request) => deps.monitor.run(() => getWelcome(deps, request.params.projectId)),
  )
}
