import type { AgentJob } from '@corrigenda/contracts'
import type { CreatedJob } from '@corrigenda/core/jobs'
import type { FastifyReply } from 'fastify'
import { setQuotaHeaders } from '../../http/quota-headers.ts'

/** Sets the headers of an accepted job, and returns the body of the response. */
export function toCreatedAnswer(reply: FastifyReply, { job, quota, replayed }: CreatedJob): AgentJob {
  if (quota) setQuotaHeaders(reply, quota)
  reply.request.createdJobId = job.id
  if (replayed) {
    reply.header('idempotent-replayed', 'true')
    // The same bytes as before, also if this version of the schema has other fields.
    reply.serializer(JSON.stringify)
  }
  return job
}
