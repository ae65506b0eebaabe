import {
  AgentSession,
  AgentSessionList,
  CreateAgentSessionRequest,
  ListAgentSessionsQuery,
} from '@corrigenda/contracts'
import { createJob, getJob, listJobs } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { requireAccess } from '../../auth/access.ts'
import { type Authenticate, toCreator } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { CREATION_ERRORS, findIdempotencyKey, JobParams, toJobKey } from '../jobs/job-requests.ts'
import { session } from '../openapi/examples.ts'
import { ProjectParams } from '../openapi/path-parameters.ts'
import { toEventFrames, toFirstFrames, toLastFrames } from './session-frames.ts'
import { streamSession } from './stream-session.ts'
import { toJobRequest } from './to-job-request.ts'
import { toSession } from './to-session.ts'

const DEPRECATED = 'Deprecated: use the job endpoints of version 2.'

const EXAMPLE = [
  toFirstFrames(session.sessionId),
  toEventFrames({ seq: 7, type: 'agent.said', createdAt: session.createdAt, data: { text: 'I look at the page.' } }),
  toLastFrames(session),
].join('')

/** The job endpoints of version 1 of the hosted API. */
export const agentSessionRoutes: FastifyPluginAsyncZod<{
  deps: ApiDeps
  authenticate: Authenticate
}> = async (app, { deps, authenticate }) => {
  const read = requireAccess(authenticate, 'jobs:read')

  app.post(
    '/v1/agent/:projectId/job',
    {
      onRequest: requireAccess(authenticate, 'jobs:write'),
      config: { hashesBody: true },
      schema: {
        operationId: 'createSession',
        tags: ['Jobs, version 1'],
        deprecated: true,
        summary: 'Create a job and stream its progress',
        description: `${DEPRECATED} Creates a job and follows it to its end. The response is a stream (Server-Sent Events) in the format of the AI SDK: each event is one chunk of a UI message as JSON, and the last event is \`[DONE]\`. The result is in the last text, and in a \`data-session\` chunk. Disconnecting does not cancel the job. Without an \`Idempotency-Key\`, the same request with the same API key receives the stream of the same job as long as the job is active. The limits are those of version 2.`,
        scope: 'jobs:write',
        requestHeaders: ['Idempotency-Key'],
        requestExamples: {
          messages: {
            value: {
              branch: 'update-docs',
              messages: [
                { role: 'system', content: 'Never ask questions.' },
                { role: 'user', content: 'Document the new --json flag of the export command.' },
              ],
              asDraft: false,
            },
          },
        },
        answers: {
          200: {
            description: 'The stream.',
            headers: ['x-session-id', 'x-branch-name', 'ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
            text: { 'text/event-stream': EXAMPLE },
          },
        },
        errors: [...CREATION_ERRORS, 'too_many_streams'],
        params: ProjectParams,
        body: CreateAgentSessionRequest,
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const caller = authenticate.getCaller(request)
      const input = {
        projectId,
        request: toJobRequest(request.body),
        idempotencyKey: findIdempotencyKey(request),
        bodyHash: request.bodyHash,
        createdBy: toCreator(caller),
        adaptBranch: true,
      }
      // Without a stream, the client would not receive the id of the job.
      deps.events.assertCapacity(projectId)
      const created = await createJob({ ...deps, audit: authenticate.getAudit(request) }, input)
      return streamSession(deps, { projectId, created, caller }, { request, reply })
    },
  )

  app.get(
    '/v1/agent/:projectId/job/:id',
    {
      onRequest: read,
      schema: {
        operationId: 'getSession',
        tags: ['Jobs, version 1'],
        deprecated: true,
        summary: 'Read a job',
        description: `${DEPRECATED} Returns a job in the form of version 1. The misspelled names are part of the hosted API.`,
        scope: 'jobs:read',
        answers: { 200: { description: 'The job.', examples: { completed: { value: session } } } },
        params: JobParams,
        response: { 200: AgentSession },
      },
    },
    async (request) => toSession(await getJob(deps, toJobKey(request.params))),
  )

  app.get(
    '/v1/agent/:projectId/jobs',
    {
      onRequest: read,
      schema: {
        operationId: 'listSessions',
        tags: ['Jobs, version 1'],
        deprecated: true,
        summary: 'List jobs',
        description: `${DEPRECATED} Returns the jobs in the form of version 1, newest first.`,
        scope: 'jobs:read',
        answers: {
          200: { description: 'The jobs.', examples: { page: { value: { allSessions: [session] } } } },
        },
        params: ProjectParams,
        querystring: ListAgentSessionsQuery,
        response: { 200: AgentSessionList },
      },
    },
    async (request) => {
      const { skip, take: limit } = request.query
      const { jobs } = await listJobs(deps, { ...request.params, skip, limit })
      return { allSessions: jobs.map(toSession) }
    },
  )
}
