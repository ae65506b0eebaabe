import { JobToken } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { createJobToken } from '@corrigenda/core/keys'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { jobToken } from '../openapi/examples.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-requests.ts'

/** Tokens for pages that show the progress of a job. */
export const agentJobTokenRoutes: PublicRoutes = async (app, { authenticate }) => {
  const access = requireAccess(authenticate, 'jobs:read', { keysOnly: true })
  for (const path of JOB_PATHS) {
    app.post(
      `${path}/:id/token`,
      {
        onRequest: access,
        schema: {
          operationId: 'createJobToken',
          tags: ['Jobs'],
          summary: 'Create a token that reads one job',
          description:
            "Creates a token for a browser that shows the job's progress. For one hour, it reads the job and its events, and nothing else. It ends earlier if the key is revoked or expires. The address ranges of the key also apply to the token. Your backend creates the token, after it has checked that the user may see the job.",
          scope: 'jobs:read',
          answers: {
            201: {
              description: 'The token. It is not stored.',
              examples: { token: { value: jobToken } },
            },
          },
          params: JobParams,
          response: { 201: JobToken },
        },
      },
      async (request, reply) => {
        const caller = authenticate.getCaller(request)
        if (caller.kind !== 'key') throw new AppError('unauthorized', 'A valid API key is required.')
        const token = await createJobToken(authenticate.audited(request), {
          ...toJobKey(request.params),
          keyId: caller.keyId,
        })
        return reply.code(201).send(token)
      },
    )
  }
}
