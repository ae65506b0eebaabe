import { AgentJob, SendMessageRequest } from '@corrigenda/contracts'
import { sendMessage } from '@corrigenda/core/jobs'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { toCreator } from '../../auth/authenticate.ts'
import { completedJob } from '../openapi/examples.ts'
import { findIdempotencyKey, JOB_PATHS, JobParams, toCreatedAnswer, toJobKey } from './job-requests.ts'

/** Follow-up messages for a job. */
export const agentJobMessageRoutes: PublicRoutes = async (app, { authenticate }) => {
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
            'Sends another prompt to the same job. The agent continues on the same branch and pull request, on top of commits that other people have pushed to the branch. While the job is active, the agent receives the message before its next turn. A message that arrives too late for the current run is handled in another run before the job ends. A job that has ended becomes active again: `prLink` is null until it ends, and `pullRequest` is unchanged. Cancelling the job discards messages that the agent has not received. To have the agent respond to review comments, quote them in the prompt. The limit is 100 messages per project in any hour, separate from the limit for new jobs.',
          scope: 'jobs:write',
          requestHeaders: ['Idempotency-Key'],
          requestExamples: { prompt: { value: { prompt: 'Mention that the flag is new in version 1.4.' } } },
          answers: {
            200: {
              description: 'The job, which is now active.',
              headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
              examples: {
                active: { value: { ...completedJob, status: 'active', phase: 'queued', outcome: null, prLink: null } },
              },
            },
          },
          errors: [
            'job_archived',
            'pull_request_closed',
            'monthly_budget_exceeded',
            'idempotency_mismatch',
            'idempotency_in_flight',
            'quota_exceeded',
          ],
          params: JobParams,
          body: SendMessageRequest,
          response: { 200: AgentJob },
        },
      },
      async (request, reply) => {
        const input = {
          ...toJobKey(request.params),
          request: request.body,
          idempotencyKey: findIdempotencyKey(request),
          createdBy: toCreator(authenticate.getCaller(request)),
        }
        return toCreatedAnswer(reply, await sendMessage(authenticate.audited(request), input))
      },
    )
  }
}
