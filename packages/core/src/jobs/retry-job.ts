import { JobMetadata, JobOptions } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { AppError } from '../base/errors.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { type CreatedJob, type CreateJobDeps, insertJob, type JobContent } from './create-job.ts'
import type { RepeatableRequest } from './find-stored-answer.ts'
import { listKnownModels } from './list-known-models.ts'
import { type ModelAliases, toCurrentModel } from './to-model-id.ts'

/**
 * Creates a new job from one that has ended, linked by `retryOf`, in the project's current
 * repository. Copies the first prompt, options, model, base branch and metadata, but not follow-up
 * messages. A branch name chosen by the caller is reused, so the retry fails if that branch still
 * exists. Retries do not count against the creation quota but have a separate one of the same size.
 * @throws AppError `not_found`; `job_active` while the original job is active;
 * `idempotency_mismatch`, `too_many_pull_requests`, `monthly_budget_exceeded`, `too_many_requests`;
 * DuplicateJobError; QuotaError. RolledBackError if the database failed before the job was created
 */
export async function retryJob(
  deps: Omit<CreateJobDeps, 'defaultModel'> & AuditedDeps,
  input: { projectId: string; id: string; idempotencyKey: string | null; createdBy?: string | null },
): Promise<CreatedJob> {
  const { projectId, id, idempotencyKey, createdBy = null } = input
  // Checked first, so that a request for another project's job returns not_found regardless of the
  // idempotency key.
  const job = await deps.prisma.job.findFirst({
    where: { id, projectId },
    include: { runs: { where: { seq: 1 }, select: { prompt: true } } },
  })
  if (!job) throw new AppError('not_found', 'Not found.')
  const repeatable: RepeatableRequest | null =
    idempotencyKey === null ? null : { projectId, key: idempotencyKey, operation: `POST job/${id}/retry`, body: null }
  return insertJob(deps, {
    projectId,
    kind: 'retry',
    createdBy,
    repeatable,
    allowedModels: await listKnownModels(deps),
    toContent: () => toContent(job, deps.modelAliases ?? {}),
  })
}

/** @throws AppError `not_found`; `job_active` */
function toContent(
  job: JobModel & { readonly runs: readonly { readonly prompt: string }[] },
  aliases: ModelAliases,
): JobContent {
  const [first] = job.runs
  if (!first) throw new AppError('not_found', 'Not found.')
  if (job.status === 'active') {
    throw new AppError('job_active', 'The job is active. Cancel it or wait until it ends, then retry it.')
  }
  const { baseBranch } = job
  const model = toCurrentModel(aliases, job.model)
  const options = JobOptions.parse(job.options)
  const metadata = JobMetadata.parse(job.metadata)
  return { prompt: first.prompt, model, baseBranch, options, metadata, retryOf: job.id }
}
