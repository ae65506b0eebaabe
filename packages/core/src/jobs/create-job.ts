import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import type { JobProject } from '../projects/job-project.ts'
import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import { acceptJob } from './accept-job.ts'
import type { QuotaLimit } from './count-quota.ts'
import { type CreatedJob, wakeForRun } from './created-job.ts'
import type { RepeatableRequest } from './find-stored-answer.ts'
import { listKnownModels } from './list-known-models.ts'
import type { JobContent, JobWish } from './new-job.ts'
import { type ModelAliases, toModelId } from './to-model-id.ts'

export interface CreateJobDeps extends Pick<Database, 'prisma' | 'pool'> {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly log: Log
  readonly quota: QuotaLimit
  /** Budget of the instance for each calendar month. Null or omitted: no budget. */
  readonly monthlyBudgetUsd?: number | null
  /** Models that jobs may use, including `defaultModel`. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
  /** Model for jobs that do not specify one. */
  readonly defaultModel: string
  /** Omitted: the instance has no aliases. */
  readonly modelAliases?: ModelAliases
}

export interface NewJob {
  readonly projectId: string
  readonly request: CreateAgentJobRequest
  readonly idempotencyKey: string | null
  /**
   * Without an idempotency key: a hash of the request. While the job is active, the same creator receives
   * it again for a request with the same hash.
   */
  readonly bodyHash?: string | null
  /** Id of the user or key that creates the job. */
  readonly createdBy?: string | null
  /** See `toAllowedBranch`. Default: a branch name that the project does not allow is rejected. */
  readonly adaptBranch?: boolean
  /** Project that was read with the caller's key. Null or older than a second: it is read again. */
  readonly project?: JobProject | null
}

/**
 * Creates a job in a project. Checks the idempotency key, the quota and the project's policy and
 * inserts the rows in one transaction, then wakes a worker.
 * @throws AppError `not_found`, `invalid_request`, `idempotency_in_flight`, `idempotency_mismatch`,
 * `too_many_pull_requests`, `monthly_budget_exceeded`; DuplicateJobError; QuotaError
 */
export async function createJob(deps: CreateJobDeps & AuditedDeps, input: NewJob): Promise<CreatedJob> {
  const { projectId, request, createdBy = null, adaptBranch = false, project = null } = input
  const repeatable = toRepeatable(input)
  // Only a model in the request can be wrong without the operator's knowledge.
  const limits = request.model === undefined ? deps : { ...deps, allowedModels: await listKnownModels(deps) }
  const wish: JobWish = {
    ...{ projectId, kind: 'create', createdBy, repeatable, dedupe: request.dedupe, adaptBranch, limits },
    toContent: (current) => toContent(deps, current, request),
  }
  const accepted = await acceptJob(deps, wish, project)
  return wakeForRun(deps, accepted)
}

function toRepeatable(input: NewJob): RepeatableRequest | null {
  const { projectId, request, idempotencyKey, bodyHash = null, createdBy = null } = input
  const identity = { projectId, operation: 'POST job', body: request }
  if (idempotencyKey !== null) return { ...identity, key: idempotencyKey }
  if (bodyHash === null) return null
  // The key of a client cannot start with a space.
  return { ...identity, key: ` ${createdBy} ${bodyHash}`, whileActive: true }
}

function toContent(
  { defaultModel, modelAliases = {} }: Pick<CreateJobDeps, 'defaultModel' | 'modelAliases'>,
  project: JobProject,
  request: CreateAgentJobRequest,
): JobContent {
  // Fields without a column are stored as options, so that no field is lost.
  const { prompt, model, ref, dedupe: _, asDraft, metadata = {}, ...given } = request
  const draft = given.draft ?? asDraft
  if (draft !== (asDraft ?? draft)) {
    throw new AppError(
      'invalid_request',
      '"draft" and its alias "asDraft" have different values. Send only one of them.',
    )
  }
  const options = draft === undefined ? given : { ...given, draft }
  return {
    prompt,
    model: toModelId(modelAliases, model ?? project.getSettings().policy.model ?? defaultModel),
    baseBranch: ref ?? project.baseBranch,
    options,
    metadata,
    retryOf: null,
  }
}
