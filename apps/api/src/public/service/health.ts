import { AppError } from '@corrigenda/core'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiDeps } from '../../http/deps.ts'

/** `/healthz`: the process runs. `/readyz`: jobs can be accepted, for which only the database is needed. */
export const healthRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (app, { deps }) => {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (!deps.monitor.isUp) throw new AppError('service_unavailable', 'Not ready: the database cannot be reached.', 2)
    await deps.monitor.run(() => deps.prisma.instance.count())
    return { status: 'ready' }
  })
}
