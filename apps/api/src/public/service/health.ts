import { assertReachable } from '@corrigenda/core/db'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'

/**
 * `/healthz` reports that the process is running. `/readyz` reports that jobs can be accepted,
 * which requires only the database.
 */
export const healthRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (app, { deps }) => {
  // Checks that run at the same time share one query, so that the single connection suffices.
  let checking: Promise<void> | null = null
  const check = () => {
    checking ??= assertReachable(deps.probe).finally(() => {
      checking = null
    })
    return checking
  }
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
          'Intended for load balancers. Requires only the database. While the queue is unavailable, jobs are still accepted and will run later.',
        scope: null,
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
    async () => {
      await check()
      return { status: 'ready' }
    },
  )
}
