import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import { toRunSettings } from '../projects/run-settings.ts'
import { type AcceptJobDeps, acceptJob, type CreatedJob } from './accept-job.ts'
import { countQuota, refuseWhenUsedUp } from './count-quota.ts'

export interface CreateJobDeps extends AcceptJobDeps {
  /** Model of jobs that name none. */
  readonly defaultModel: string
}

export interface NewJob {
  readonly projectId: string
  readonly request: CreateAgentJobRequest
  readonly idempotencyKey: string | null
  /** Id of the person or of the key that asks. */
  readonly createdBy?: string | null
}

/**
 * Accepts a new job of a project.
 * @throws AppError `not_found`, `idempotency_in_flight`, `idempotency_mismatch`, `too_many_pull_requests`; DuplicateJobError; QuotaError
 */
export async function createJob(deps: CreateJobDeps, input: NewJob): Promise<CreatedJob> {
  const { projectId, request, idempotencyKey, createdBy = null } = input
  // Cheap refusal without the lock: uses only leave the window, so a full count cannot be wrong. A replay must not be refused, though.
  if (idempotencyKey === null) refuseWhenUsedUp(await countQuota(deps.prisma, projectId, deps.quota))
  // What has no column of its own is stored as options, so no field can be left out here.
  const { prompt, model, ref, dedupe, metadata = {}, ...options } = request
  return acceptJob(deps, {
    projectId,
    kind: 'create',
    createdBy,
    dedupe,
    repeatable:
      idempotencyKey === null ? null : { projectId, key: idempotencyKey, operation: 'POST job', body: request },
    getContent: (_tx, project) => ({
      prompt,
      model: model ?? toRunSettings(project.settings).policy.model ?? deps.defaultModel,
      baseBranch: ref ?? project.baseBranch,
      options,
      metadata,
      retryOf: null,
    }),
  })
}
