import { hash } from 'node:crypto'
import { AgentJob, CreateAgentJobRequest, JobPage, ListJobsQuery } from '@corrigenda/contracts'
import {
  archiveJob,
  cancelJob,
  createJob,
  deleteJob,
  getJob,
  listJobs,
  retryJob,
  unarchiveJob,
} from '@corrigenda/core/jobs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { isToken, toCreator } from '../../auth/authenticate.ts'
import { JSON_TYPE } from '../../http/errors.ts'
import {
  archivedJob,
  cancelledJob,
  completedJob,
  createRequest,
  createRequestFull,
  failedJob,
  queuedJob,
} from '../openapi/examples.ts'
import { ProjectParams } from '../openapi/path-parameters.ts'
import { CREATION_ERRORS, findIdempotencyKey, JOB_PATHS, JobParams, toCreatedAnswer, toJobKey } from './job-requests.ts'

/** The agent job endpoints, at both paths of the hosted API. */
export const agentJobRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  const read = requireAccess(authenticate, 'jobs:read')
  const write = requireAccess(authenticate, 'jobs:write')

  for (const path of JOB_PATHS) {
    app.post(
      path,
      {
        onRequest: write,
        schema: {
          operationId: 'createJob',
          tags: ['Jobs'],
          summary: 'Create a job',
          description:
            'Accepts a prompt and returns the job immediately. The work happens in the background. The limit is 100 jobs per project in any hour, unless the operator configured a different limit. Rejected requests do not count toward it. Send an `Idempotency-Key`, so that a repeated request does not create a second job.',
          scope: 'jobs:write',
          requestHeaders: ['Idempotency-Key'],
          requestExamples: {
            prompt: { summary: 'Required field only', value: createRequest },
            options: { summary: 'With common options', value: createRequestFull },
          },
          answers: {
            201: {
              description: 'The job, which is active and queued.',
              headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
              examples: { queued: { value: queuedJob } },
            },
          },
          errors: CREATION_ERRORS,
          params: ProjectParams,
          body: CreateAgentJobRequest,
          response: { 201: AgentJob },
        },
      },
      async (request, reply) => {
        const { projectId } = request.params
        const input = {
          projectId,
          request: request.body,
          idempotencyKey: findIdempotencyKey(request),
          createdBy: toCreator(authenticate.getCaller(request)),
        }
        reply.code(201)
        return toCreatedAnswer(reply, await createJob(authenticate.audited(request), input))
      },
    )

    app.get(
      `${path}/:id`,
      {
        onRequest: read,
        config: { jobTokens: 'header' },
        schema: {
          operationId: 'getJob',
          tags: ['Jobs'],
          summary: 'Read a job',
          description:
            'Poll this endpoint until `status` is no longer `active`. Send the `ETag` as `If-None-Match`: the response for an unchanged job is 304 without a body. A job token is accepted instead of an API key.',
          scope: 'jobs:read',
          requestHeaders: ['If-None-Match'],
          answers: {
            200: {
              description: 'The job.',
              headers: ['etag'],
              schema: AgentJob,
              examples: {
                queued: { value: queuedJob },
                completed: { value: completedJob },
                failed: { value: failedJob },
              },
            },
            304: { description: 'The job has not changed since the state in `If-None-Match`.', headers: ['etag'] },
          },
          params: JobParams,
        },
      },
      async (request, reply) => {
        const job = await getJob(deps, toJobKey(request.params))
        if (!isToken(authenticate.getCaller(request))) return sendJob(request, reply, job)
        // A web page does not receive the repositories, paths and lines that the job's runs read.
        return sendJob(request, reply, { ...job, sources: [], evidence: [] })
      },
    )

    app.get(
      `${path}s`,
      {
        onRequest: read,
        schema: {
          operationId: 'listJobs',
          tags: ['Jobs'],
          summary: 'List jobs',
          description:
            'Returns the jobs that match all filters, newest first. `nextCursor` is the cursor for the next page, and null on the last page. New jobs do not shift the pages.',
          scope: 'jobs:read',
          answers: {
            200: {
              description: 'A page of jobs.',
              schema: JobPage,
              examples: { page: { value: { jobs: [completedJob], nextCursor: null } } },
            },
          },
          params: ProjectParams,
          querystring: ListJobsQuery,
        },
      },
      async (request, reply) => {
        const page = await listJobs(deps, { ...request.params, ...request.query })
        return reply.type(JSON_TYPE).send(JSON.stringify(page))
      },
    )

    app.post(
      `${path}/:id/archive`,
      {
        onRequest: write,
        schema: {
          operationId: 'archiveJob',
          tags: ['Jobs'],
          summary: 'Archive a job',
          description:
            'Archives a job that has ended. The job remains readable and cannot be continued until it is unarchived. Archiving it again has no effect.',
          scope: 'jobs:write',
          answers: { 200: { description: 'The archived job.', examples: { archived: { value: archivedJob } } } },
          errors: ['job_active'],
          params: JobParams,
          response: { 200: AgentJob },
        },
      },
      async (request) => archiveJob(authenticate.audited(request), toJobKey(request.params)),
    )

    app.post(
      `${path}/:id/unarchive`,
      {
        onRequest: write,
        schema: {
          operationId: 'unarchiveJob',
          tags: ['Jobs'],
          summary: 'Unarchive a job',
          description:
            'Returns an archived job to the status that it had when it ended. It can then be continued. There is no effect on a job that is not archived.',
          scope: 'jobs:write',
          answers: { 200: { description: 'The job.', examples: { completed: { value: completedJob } } } },
          params: JobParams,
          response: { 200: AgentJob },
        },
      },
      async (request) => unarchiveJob(authenticate.audited(request), toJobKey(request.params)),
    )

    app.post(
      `${path}/:id/cancel`,
      {
        onRequest: write,
        schema: {
          operationId: 'cancelJob',
          tags: ['Jobs'],
          summary: 'Cancel a job',
          description:
            'Ends an active job: its status becomes `failed` with the outcome `cancelled`, and no pull request is opened afterwards. Cancelling a cancelled job again has no effect. If the job is opening its pull request at that moment, the response may be 503 `cancel_pending`. Send the request again to find out how the job ended.',
          scope: 'jobs:write',
          answers: { 200: { description: 'The cancelled job.', examples: { cancelled: { value: cancelledJob } } } },
          errors: ['job_ended', 'cancel_pending'],
          params: JobParams,
          response: { 200: AgentJob },
        },
      },
      async (request) =>
        cancelJob({ ...authenticate.audited(request), onWait: () => request.detach() }, toJobKey(request.params)),
    )

    app.post(
      `${path}/:id/retry`,
      {
        onRequest: write,
        schema: {
          operationId: 'retryJob',
          tags: ['Jobs'],
          summary: 'Retry a job',
          description:
            'Creates a new job with the same prompt and options as a job that has ended. `retryOf` is the id of that job. Retries have a separate limit.',
          scope: 'jobs:write',
          requestHeaders: ['Idempotency-Key'],
          answers: {
            201: {
              description: 'The new job, which is active and queued.',
              headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
              examples: {
                queued: { value: { ...queuedJob, id: 'job_01kgs4m0a2c4e6g8j0m2p4r6t8', retryOf: failedJob.id } },
              },
            },
          },
          errors: ['job_active', ...CREATION_ERRORS],
          params: JobParams,
          response: { 201: AgentJob },
        },
      },
      async (request, reply) => {
        const createdBy = toCreator(authenticate.getCaller(request))
        const input = { ...toJobKey(request.params), idempotencyKey: findIdempotencyKey(request), createdBy }
        reply.code(201)
        return toCreatedAnswer(reply, await retryJob(authenticate.audited(request), input))
      },
    )
  }

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
        await deleteJob(authenticate.audited(request), toJobKey(request.params))
        return reply.code(204).send(undefined)
      },
    )
  }
}

/** Sends the job, or 304 if the caller already has this state. */
function sendJob(request: FastifyRequest, reply: FastifyReply, job: AgentJob): FastifyReply {
  const body = JSON.stringify(job)
  // The same in all processes, and different for other bodies.
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  // A browser would reuse the CORS headers of a stored response for a request that has none.
  const isForPage = reply.hasHeader('access-control-allow-origin')
  reply.header('etag', etag).header('cache-control', isForPage ? 'no-store' : 'private, no-cache')
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))) {
    return reply.code(304).send()
  }
  return reply.type(JSON_TYPE).send(body)
}
