import type { CreatedJob } from '@corrigenda/core/jobs'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../../http/errors.ts'
import { setQuotaHeaders } from '../../http/quota-headers.ts'

/** Sends the 201 response for an accepted job. A replayed request receives the same bytes. */
export const sendCreated = (reply: FastifyReply, created: CreatedJob): FastifyReply => sendAccepted(reply, 201, created)

/**
 * Sends the job record as it was when the request was accepted. A replayed request receives the
 * same bytes.
 */
export function sendAccepted(reply: FastifyReply, status: 200 | 201, created: CreatedJob): FastifyReply {
  if (created.quota) setQuotaHeaders(reply, created.quota)
  // The record starts with the id.
  reply.request.createdJobId = /^\{"id":"(job_[0-9a-z]{26})"/.exec(created.body)?.[1] ?? null
  if (created.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(status).type(JSON_TYPE).serializer(String).send(created.body)
}
