import { createHash } from 'node:crypto'
import { AgentJob, CreateAgentJobRequest, JobEventPage, JobPage, ListJobsQuery } from '@corrigenda/contracts'
import { AppError, archiveJob, cancelJob, createJob, getJob, listEvents, listJobs } from '@corrigenda/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Authenticate, requireAccess } from '../authenticate.ts'
import type { ApiDeps } from '../deps.ts'
import { JSON_TYPE } from '../errors.ts'
import { setQuotaHeaders } from '../quota-headers.ts'

const ProjectParams = z.object({ projectId: z.string() })
const JobParams = z.object({ projectId: z.string(), id: z.string() })
const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})

/** The agent job endpoints, in both spellings of the hosted API's paths. */
export const agentJobRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const read = requireAccess(authenticate, 'jobs:read')
  const write = requireAccess(authenticate, 'jobs:write')

  for (const path of ['/v2/agent/:projectId/job', '/api/agent/v2/:projectId/job']) {
    app.post(
      path,
      { onRequest: write, schema: { params: ProjectParams, body: CreateAgentJobRequest } },
      async (request, reply) => {
        const { projectId } = request.params
        const input = { projectId, request: request.body, idempotencyKey: findIdempotencyKey(request) }
        const created = await deps.monitor.run(() => createJob(deps, input))
        if (created.quota) setQuotaHeaders(reply, created.quota)
        if (created.replayed) reply.header('idempotent-replayed', 'true')
        return reply.code(201).type(JSON_TYPE).serializer(String).send(created.body)
      },
    )

    app.get(
      `${path}/:id`,
      { onRequest: read, schema: { params: JobParams, response: { 200: AgentJob, 304: z.void() } } },
      async (request, reply) => {
        const job = await deps.monitor.run(() => getJob(deps, toJobKey(request.params)))
        return isUnchanged(request, reply, JSON.stringify(job)) ? reply.code(304).send(undefined) : job
      },
    )

    app.get(
      `${path}s`,
      {
        onRequest: read,
        schema: { params: ProjectParams, querystring: ListJobsQuery, response: { 200: JobPage } },
      },
      async (request) => deps.monitor.run(() => listJobs(deps, { ...request.params, ...request.query })),
    )

    app.post(
      `${path}/:id/archive`,
      { onRequest: write, schema: { params: JobParams, response: { 200: AgentJob } } },
      async (request) => deps.monitor.run(() => archiveJob(deps, toJobKey(request.params))),
    )

    app.post(
      `${path}/:id/cancel`,
      { onRequest: write, schema: { params: JobParams, response: { 200: AgentJob } } },
      async (request) => deps.monitor.run(() => cancelJob(deps, toJobKey(request.params))),
    )

    app.get(
      `${path}/:id/events`,
      { onRequest: read, schema: { params: JobParams, querystring: EventsQuery, response: { 200: JobEventPage } } },
      async (request) => {
        const { after, limit } = request.query
        return { events: await deps.monitor.run(() => listEvents(deps, { ...toJobKey(request.params), after, limit })) }
      },
    )
  }
}

/** Anything that cannot be an id of ours is a job that does not exist. */
function toJobKey(params: { projectId: string; id: string }): { projectId: string; id: string } {
  if (!/^job_[0-9a-z]{26}$/.test(params.id)) throw new AppError('not_found', 'Not found.')
  return params
}

function findIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(key)) {
    throw new AppError('invalid_request', 'The Idempotency-Key header must be 1 to 255 printable ASCII characters.')
  }
  return key
}

/** Sets the ETag of this state and says whether the caller has it already. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, state: string): boolean {
  const etag = `"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const known = request.headers['if-none-match']
  return known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false
}
