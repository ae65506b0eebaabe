import { createHash } from 'node:crypto'
import { AgentJob, CreateAgentJobRequest, JobPage, ListJobsQuery } from '@corrigenda/contracts'
import { archiveJob, cancelJob, createJob, getJob, listJobs, retryJob } from '@corrigenda/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAccess } from '../../auth/access.ts'
import { type Authenticate, toCreator } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { findIdempotencyKey } from './find-idempotency-key.ts'
import { JOB_PATHS, JobParams, ProjectParams, toJobKey } from './job-params.ts'
import { sendCreated } from './send-created.ts'

/** The agent job endpoints, in both spellings of the hosted API's paths. */
export const agentJobRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const read = requireAccess(authenticate, 'jobs:read')
  const write = requireAccess(authenticate, 'jobs:write')

  for (const path of JOB_PATHS) {
    app.post(
      path,
      { onRequest: write, schema: { params: ProjectParams, body: CreateAgentJobRequest } },
      async (request, reply) => {
        const { projectId } = request.params
        const createdBy = toCreator(authenticate.getCaller(request))
        const input = { projectId, request: request.body, idempotencyKey: findIdempotencyKey(request), createdBy }
        return sendCreated(reply, await createJob(deps, input))
      },
    )

    app.get(
      `${path}/:id`,
      { onRequest: read, schema: { params: JobParams, response: { 200: AgentJob, 304: z.void() } } },
      async (request, reply) => {
        const job = await getJob(deps, toJobKey(request.params))
        return isUnchanged(request, reply, JSON.stringify(job)) ? reply.code(304).send(undefined) : job
      },
    )

    app.get(
      `${path}s`,
      {
        onRequest: read,
        schema: { params: ProjectParams, querystring: ListJobsQuery, response: { 200: JobPage } },
      },
      async (request) => listJobs(deps, { ...request.params, ...request.query }),
    )

    app.post(
      `${path}/:id/archive`,
      { onRequest: write, schema: { params: JobParams, response: { 200: AgentJob } } },
      async (request) => archiveJob(deps, toJobKey(request.params)),
    )

    app.post(
      `${path}/:id/cancel`,
      { onRequest: write, schema: { params: JobParams, response: { 200: AgentJob } } },
      async (request) => cancelJob(deps, toJobKey(request.params)),
    )

    app.post(`${path}/:id/retry`, { onRequest: write, schema: { params: JobParams } }, async (request, reply) => {
      const createdBy = toCreator(authenticate.getCaller(request))
      const input = { ...toJobKey(request.params), idempotencyKey: findIdempotencyKey(request), createdBy }
      return sendCreated(reply, await retryJob(deps, input))
    })
  }
}

/** Sets the ETag of this state and says whether the caller has it already. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, state: string): boolean {
  const etag = `"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const known = request.headers['if-none-match']
  return known?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false
}
