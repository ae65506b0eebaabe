import { TranscriptPage, TranscriptQuery } from '@corrigenda/contracts'
import { listTranscript } from '@corrigenda/core'
import type { onRequestAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'
import { toJobKey } from '../../public/jobs/job-params.ts'

const TranscriptParams = z.object({ projectId: z.string().max(100), jobId: z.string().max(100) })

/** What was said between the agent and the model, for people. `access` lets in who may read the project. */
export const transcriptRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; access: onRequestAsyncHookHandler }> = async (
  app,
  { deps, access },
) => {
  app.get(
    '/dashboard/api/projects/:projectId/jobs/:jobId/transcript',
    {
      onRequest: access,
      schema: { params: TranscriptParams, querystring: TranscriptQuery, response: { 200: TranscriptPage } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { projectId, jobId } = request.params
      const job = toJobKey({ projectId, id: jobId })
      return deps.monitor.run(() => listTranscript(deps, { ...job, ...request.query }))
    },
  )
}
