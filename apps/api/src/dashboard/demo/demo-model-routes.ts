import { DemoModelRequest } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { hideInLog } from '@corrigenda/core/runtime'
import { z } from 'zod'
import type { DashboardRoutes } from '../../auth/guard.ts'
import { isLocalVisit } from '../../auth/local-visits.ts'

/**
 * Connects the demo to a real model until the process ends. The key stays in memory: it is neither
 * stored nor logged nor returned. Outside of the demo, the route does not exist.
 */
export const demoModelRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  if (deps.connectModel === null || !deps.demoSignIn) return
  app.post(
    '/dashboard/api/demo/model',
    { onRequest: guard.admin, schema: { body: DemoModelRequest, response: { 204: z.null() } } },
    async (request, reply) => {
      const { connectModel } = deps
      if (connectModel === null || !deps.demoSignIn || !isLocalVisit(deps, request))
        throw new AppError('not_found', 'There is nothing at this path.')
      const { apiKey } = request.body
      hideInLog(deps.log, apiKey)
      await connectModel(apiKey)
      return reply.code(204).send(null)
    },
  )
}
