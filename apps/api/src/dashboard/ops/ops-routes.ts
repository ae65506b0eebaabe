import { OpsState } from '@corrigenda/contracts'
import { VERSION } from '@corrigenda/core/base'
import { getOpsState } from '@corrigenda/core/ops'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

/** Serves the service's state to admins. */
export const opsRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const backend = deps.board?.backend ?? 'postgres'

  app.get('/dashboard/api/ops', { onRequest: guard.admin, schema: { response: { 200: OpsState } } }, () =>
    getOpsState(deps, { version: VERSION, backend }),
  )
}
