import type { AgentJob, ErrorCode } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import type { CreatedJob } from '@corrigenda/core/jobs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { setQuotaHeaders } from '../../http/quota-headers.ts'
import { JobId, ProjectId } from '../openapi/path-parameters.ts'

const FORMAT = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

export const IdempotencyKey = z.string().regex(FORMAT, 'must be 1 to 255 printable ASCII characters')

/**
 * Returns the request's idempotency key, or null if the request has no key.
 * @throws AppError `invalid_request` if the key is invalid
 */
export function findIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !FORMAT.test(key)) {
    throw new AppError('invalid_request', 'The Idempotency-Key header must be 1 to 255 printable ASCII characters.')
  }
  return key
}

/** Errors of every request that creates a job. */
export const CREATION_ERRORS = [
  'idempotency_mismatch',
  'idempotency_in_flight',
  'duplicate_job',
  'too_many_pull_requests',
  'monthly_budget_exceeded',
  'quota_exceeded',
] as const satisfies readonly ErrorCode[]

export const JobParams = z.object({ projectId: ProjectId, id: JobId })
export type JobParams = z.infer<typeof JobParams>

/** The two path variants of the hosted API. */
export const JOB_PATHS = ['/v2/agent/:projectId/job', '/api/agent/v2/:projectId/job'] as const

/** Validates the job id. A malformed id is treated as a job that does not exist. */
export function toJobKey(params: JobParams): JobParams {
  if (!/^job_[0-9a-z]{26}$/.test(params.id)) throw new AppError('not_found', 'Not found.')
  return params
}

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
