import { TranscriptPage, TranscriptQuery } from '@corrigenda/contracts'
import { listTranscript } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { toJobKey } from '../../public/jobs/job-requests.ts'

const TranscriptParams = z.object({ projectId: z.string().max(100), jobId: z.string().max(100) })

/** Serves the agent's conversation with the model to signed-in users. */
export const transcriptRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (
  app,
  { deps, guard },
) => {
  app.get(
    '/dashboard/api/projects/:projectId/jobs/:jobId/transcript',
    {
      onRequest: guard.role('viewer'),
      schema: { params: TranscriptParams, querystring: TranscriptQuery, response: { 200: TranscriptPage } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { projectId, jobId } = request.params
      const job = toJobKey({ projectId, id: jobId })
      return listTranscript(deps, { ...job, ...request.query })
    },
  )
}
