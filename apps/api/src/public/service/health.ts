import { assertReachable } from '@corrigenda/core/db'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'

/**
 * `/healthz`: the process is running. `/readyz`: jobs can be accepted, which requires only the
 * database.
 */
export const healthRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (app, { deps }) => {
  app.get(
    '/healthz',
    {
      config: { database: 'none' },
      schema: {
        operationId: 'getHealth',
        tags: ['Service'],
        summary: 'Is the process alive?',
        description: 'Answers as long as the process runs, whatever else is away.',
        scope: null,
        answers: {
          200: {
            description: 'It runs.',
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
        summary: 'Can jobs be accepted?',
        description:
          'For load balancers. Only the database is needed: without the queue, jobs are accepted and run later.',
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
      await assertReachable(deps)
      return { status: 'ready' }
    },
  )
}
