import type { CreatedJob } from '@corrigenda/core/jobs'
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from '../../http/errors.ts'
import { setQuotaHeaders } from '../../http/quota-headers.ts'

/** The 201 of a job that was accepted, or the same bytes again. */
export const sendCreated = (reply: FastifyReply, created: CreatedJob): FastifyReply => sendAccepted(reply, 201, created)

/** The record of a job as it was when something about it was accepted, or the same bytes again. */
export function sendAccepted(reply: FastifyReply, status: 200 | 201, created: CreatedJob): FastifyReply {
  if (created.quota) setQuotaHeaders(reply, created.quota)
  if (created.replayed) reply.header('idempotent-replayed', 'true')
  return reply.code(status).type(JSON_TYPE).serializer(String).send(created.body)
}
