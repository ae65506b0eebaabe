import { hash } from 'node:crypto'
import type { AgentJob } from '@corrigenda/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { JSON_TYPE } from '../../http/errors.ts'

/** Sends the job, or 304 if the caller already has this state. */
export function sendJob(request: FastifyRequest, reply: FastifyReply, job: AgentJob): FastifyReply {
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
