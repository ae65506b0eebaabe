import { AppError } from '@corrigenda/core/base'
import { assertReachable } from '@corrigenda/core/db'
import { hasLiveWorker } from '@corrigenda/core/workers'
import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'

/**
 * `/healthz` reports that the process is running. `/readyz` reports that jobs can be accepted,
 * which requires only the database.
 */
export const healthRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (plugin, { deps }) => {
  const app = plugin.withTypeProvider<ZodTypeProvider>()
  const check = share(() => assertReachable(deps.probe))
  const findWorker = share(() => hasLiveWorker(deps.probe))
  app.get(
    '/healthz',
    {
      config: { database: 'none' },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Check liveness',
        description: 'Returns 200 while the process is running, even if the database or the queue is unavailable.',
        scope: null,
        answers: {
          200: {
            description: 'The process is running.',
            schema: z.object({ status: z.literal('ok') }),
            examples: { ok: { value: { status: 'ok' } } },
          },
        },
      },
    },
    async () => ({ status: 'ok' }),
  )
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadiness',
        tags: ['Service'],
        summary: 'Check readiness',
        description:
          'Intended for load balancers. Requires only the database. While the queue is unavailable, jobs are still accepted and will run later. With `workers=1`, it is intended for monitoring: it also requires a running worker.',
        scope: null,
        querystring: ReadinessQuery,
        answers: {
          200: {
            description: 'Jobs can be accepted.',
            schema: z.object({ status: z.literal('ready') }),
            examples: { ready: { value: { status: 'ready' } } },
          },
        },
        errors: ['service_unavailable'],
      },
    },
    async (request) => {
      await check()
      if (request.query.workers === '1' && !(await findWorker()))
        throw new AppError('service_unavailable', NO_WORKER, 5)
      return { status: 'ready' } as const
    },
  )
}

const NO_WORKER = 'No worker is running. Jobs are accepted, but they wait. Start a worker with "corrigenda worker".'

const ReadinessQuery = z.object({ workers: z.enum(['0', '1']).optional() })

/** Checks that run at the same time share one query, so that the single connection suffices. */
function share<T>(check: () => Promise<T>): () => Promise<T> {
  let checking: Promise<T> | null = null
  return () => {
    checking ??= check().finally(() => {
      checking = null
    })
    return checking
  }
}
