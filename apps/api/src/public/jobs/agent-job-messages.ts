import { AgentJob, SendMessageRequest } from '@corrigenda/contracts'
import { sendMessage } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { completedJob } from '../openapi/examples.ts'
import { findIdempotencyKey } from './find-idempotency-key.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-params.ts'
import { sendAccepted } from './send-created.ts'

/** Follow-up messages of a job. */
export const agentJobMessageRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const write = requireAccess(authenticate, 'jobs:write')
  for (const path of JOB_PATHS) {
    app.post(
      `${path}/:id/message`,
      {
        onRequest: write,
        schema: {
          operationId: 'sendMessage',
          tags: ['Jobs'],
          summary: 'Send a follow-up',
          description:
            'Another prompt for the same job: the agent goes on, on the same branch and the same pull request, on top of what people have pushed to it. While the job is active the agent is told before its next turn; a message that comes too late for that is worked on before the job ends. A job that has ended becomes active again, with `prLink` null until it ends; `pullRequest` stays. Cancelling the job drops what the agent was not told yet. Quote review comments in the prompt when they are what it shall answer. At most 100 messages per project in any hour, counted apart from new jobs.',
          scope: 'jobs:write',
          requestHeaders: ['Idempotency-Key'],
          requestExamples: { prompt: { value: { prompt: 'Mention that the flag is new in version 1.4.' } } },
          answers: {
            200: {
              description: 'The job, active.',
              headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
              schema: AgentJob,
              examples: {
                active: { value: { ...completedJob, status: 'active', phase: 'queued', outcome: null, prLink: null } },
              },
            },
          },
          errors: [
            'job_archived',
            'pull_request_closed',
            'idempotency_mismatch',
            'idempotency_in_flight',
            'quota_exceeded',
          ],
          params: JobParams,
          body: SendMessageRequest,
        },
      },
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
