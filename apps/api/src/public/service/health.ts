import { assertReachable } from '@corrigenda/core'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiDeps } from '../../http/deps.ts'

/** `/healthz`: the process runs. `/readyz`: jobs can be accepted, which needs only the database. */
export const healthRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (app, { deps }) => {
  app.get('/healthz', { config: { database: 'none' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await assertReachable(deps)
    return { status: 'ready' }
  })
}
