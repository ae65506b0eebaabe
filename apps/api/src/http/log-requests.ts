import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isProbe } from './is-probe.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the job that the request created, for the log. */
    createdJobId: string | null
  }
}

/**
 * Writes one line for each request, with everything needed to find it: its id, the client's address,
 * the project, the job, the status and the error code. It contains no query, header or body, which
 * can contain secrets and prompts.
 */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('createdJobId', null)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply
    const entry = toEntry(request, reply)
    if (status >= 500) request.log.warn(entry, 'request')
    else request.log[isProbe(request) && status === 200 ? 'debug' : 'info'](entry, 'request')
    done()
  })
}

function toEntry(request: FastifyRequest, reply: FastifyReply): Record<string, unknown> {
  const { method, routeOptions, ip } = request
  const { statusCode: status, elapsedTime } = reply
  const entry: Record<string, unknown> = { method, route: routeOptions.url ?? 'unknown', status }
  entry.ms = Math.round(elapsedTime)
  entry.ip = ip
  const { projectId, jobId, id } = (request.params ?? {}) as Record<string, unknown>
  if (isId(projectId)) entry.projectId = projectId
  const job = request.createdJobId ?? jobId ?? id
  if (isId(job) && job.startsWith('job_')) entry.jobId = job
  if (status >= 400) entry.code = reply.getHeader('x-error-code') ?? null
  return entry
}

/** Parameters are logged only if they are ids, because callers control the path. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[a-z]{2,4}_[0-9a-z]{26}$/.test(value)
