import {
  AgentSession,
  AgentSessionList,
  type CreateAgentJobRequest,
  CreateAgentSessionRequest,
  EXAMPLE_PROMPT,
  JobRequest,
  ListAgentSessionsQuery,
} from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { type CreatedJob, createJob, getJob, getJobBranch, listJobs } from '@corrigenda/core/jobs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { type Caller, toCreator } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { setQuotaHeaders } from '../../http/quota-headers.ts'
import { openStream, setStreamHeaders, toReader } from '../events/stream-events.ts'
import { CREATION_ERRORS, findIdempotencyKey, JobParams, toJobKey } from '../jobs/job-requests.ts'
import { session } from '../openapi/examples.ts'
import { ProjectParams } from '../openapi/path-parameters.ts'
import { INTERRUPTED, toEventFrames, toFirstFrames, toLastFrames, toSession, UI_STREAM_HEADERS } from './to-session.ts'

const DEPRECATED = 'Deprecated: use the job endpoints of version 2.'

const EXAMPLE = [
  toFirstFrames(session.sessionId),
  toEventFrames({ seq: 7, type: 'agent.said', createdAt: session.createdAt, data: { text: 'I look at the page.' } }),
  toLastFrames(session),
].join('')

/** The job endpoints of version 1 of the hosted API. */
export const agentSessionRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
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
      const created = await createJob(authenticate.audited(request), input)
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

/**
 * Converts a request of version 1 into a job request. One message is the prompt. Several messages
 * become one prompt, each after its role.
 * @throws AppError `invalid_request` if the messages contain no text, or text that no prompt may contain
 */
function toJobRequest(request: CreateAgentSessionRequest): CreateAgentJobRequest {
  const { messages, branch, asDraft, model, questions } = request
  const [first] = messages
  const prompt =
    messages.length === 1 ? first?.content : messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
  if (messages.every(({ content }) => content.trim() === '')) {
    throw new AppError(
      'invalid_request',
      `The messages contain no text. Send at least one, such as {"role": "user", "content": "${EXAMPLE_PROMPT}"}.`,
    )
  }
  const [issue] = JobRequest.shape.prompt.safeParse(prompt).error?.issues ?? []
  if (issue) throw new AppError('invalid_request', `The request is not valid. "messages": ${issue.message}.`)
  return {
    prompt: prompt ?? '',
    ...(branch === undefined ? {} : { branch }),
    ...(asDraft === undefined ? {} : { draft: String(asDraft) === 'true' }),
    ...(model === undefined ? {} : { model }),
    ...(questions === undefined ? {} : { questions }),
  }
}

/**
 * Streams an accepted job from its first event to its end, in the format of version 1. The stream of
 * a replayed request starts at the first event, too. The job does not depend on the stream.
 */
async function streamSession(
  deps: ApiDeps,
  { projectId, created, caller }: { projectId: string; created: CreatedJob; caller: Caller },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { id } = created.job
  const branch = await getJobBranch(deps, { projectId, id })
  if (created.quota) setQuotaHeaders(reply, created.quota)
  if (created.replayed) reply.header('idempotent-replayed', 'true')
  setStreamHeaders(reply)
  reply.headers({ ...UI_STREAM_HEADERS, 'x-session-id': id, 'x-branch-name': toHeader(branch) })
  const format = {
    toText: toEventFrames,
    buildEnd: async () => toLastFrames(toSession(await getJob(deps, { projectId, id }))),
    interrupted: INTERRUPTED,
  }
  request.detach()
  openStream(reply, toFirstFrames(id), (response) =>
    deps.events.add({ response, jobId: id, projectId, identity: toReader(caller), position: 0, format }),
  )
  return reply
}

/** Encodes characters that a header cannot contain. */
const toHeader = (branch: string): string => branch.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
