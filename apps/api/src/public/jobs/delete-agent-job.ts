import { deleteJob } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-requests.ts'

/** The endpoint that deletes a job. Users need the role owner, because the data is lost. */
export const deleteAgentJobRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  for (const path of JOB_PATHS) {
    app.delete(
      `${path}/:id`,
      {
        onRequest: requireAccess(authenticate, 'jobs:write', { role: 'owner' }),
        schema: {
          operationId: 'deleteJob',
          tags: ['Jobs'],
          summary: 'Delete a job',
          description:
            'Deletes a job that has ended, with its prompts, transcript, events and changes. This cannot be undone. An open pull request stays open, and its state is no longer tracked. The response for a deleted job is 404.',
          scope: 'jobs:write',
          answers: { 204: { description: 'The job was deleted.' } },
          errors: ['job_active'],
          params: JobParams,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await deleteJob({ ...deps, audit: authenticate.getAudit(request) }, toJobKey(request.params))
        return reply.code(204).send(undefined)
      },
    )
  }
}
