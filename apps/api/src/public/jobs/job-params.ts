import { AppError } from '@corrigenda/core/base'
import { z } from 'zod'
import { JobId, ProjectId } from '../openapi/path-parameters.ts'

export const JobParams = z.object({ projectId: ProjectId, id: JobId })
export type JobParams = z.infer<typeof JobParams>

/** The two path variants of the hosted API. */
export const JOB_PATHS = ['/v2/agent/:projectId/job', '/api/agent/v2/:projectId/job'] as const

/** Validates the job id. A malformed id is treated as a job that does not exist. */
export function toJobKey(params: JobParams): JobParams {
  if (!/^job_[0-9a-z]{26}$/.test(params.id)) throw new AppError('not_found', 'Not found.')
  return params
}
