import { SendMessageRequest } from '@corrigenda/contracts'
import { sendMessage } from '@corrigenda/core'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { findIdempotencyKey } from './find-idempotency-key.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-params.ts'
import { sendAccepted } from './send-created.ts'

/** Follow-ups of a job. */
export const agentJobMessageRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const write = requireAccess(authenticate, 'jobs:write')
  for (const path of JOB_PATHS) {
    app.post(
      `${path}/:id/message`,
      { onRequest: write, schema: { params: JobParams, body: SendMessageRequest } },
      async (request, reply) => {
        const input = {
          ...toJobKey(request.params),
          request: request.body,
          idempotencyKey: findIdempotencyKey(request),
        }
        return sendAccepted(reply, 200, await sendMessage(deps, input))
      },
    )
  }
}
