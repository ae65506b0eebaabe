import { JobMetadata, JobOptions } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import type { CreateJobDeps } from './create-job.ts'
import { type CreatedJob, toReplay, wakeForRun } from './created-job.ts'
import { findStoredAnswer, type RepeatableRequest } from './find-stored-answer.ts'
import { insertJob, type JobContent } from './insert-job.ts'

/**
 * Creates a new job from one that has ended, linked by `retryOf`, in the project's current
 * repository. Copies the first prompt, options, model, base branch and metadata, but not follow-up
 * messages. A branch name chosen by the caller is reused, so the retry fails if that branch still
 * exists. Retries do not count against the creation quota but have a separate one of the same size.
 * @throws AppError `not_found`; `job_active` while the original job is active;
 * `idempotency_in_flight`, `idempotency_mismatch`, `too_many_pull_requests`,
 * `monthly_budget_exceeded`; DuplicateJobError; QuotaError
 */
export async function retryJob(
  deps: Omit<CreateJobDeps, 'defaultModel'> & AuditedDeps,
  input: { projectId: string; id: string; idempotencyKey: string | null; createdBy?: string | null },
): Promise<CreatedJob> {
  const { projectId, id, idempotencyKey, createdBy = null } = input
  // Checked first, so that a request for another project's job returns not_found regardless of the
  // idempotency key.
  const known = await deps.prisma.job.findFirst({ where: { id, projectId }, select: { id: true } })
  if (!known) throw new AppError('not_found', 'Not found.')
  const repeatable: RepeatableRequest | null =
    idempotencyKey === null ? null : { projectId, key: idempotencyKey, operation: `POST job/${id}/retry`, body: null }
  const accepted = await deps.prisma.$transaction(async (tx) => {
    const stored = await findStoredAnswer(tx, repeatable)
    if (stored !== null) return toReplay(stored)
    const project = await tx.project.findUnique({ where: { id: projectId, deletedAt: null } })
    if (!project) throw new AppError('not_found', 'Not found.')
    const content = await getContent(tx, { id, projectId })
    return insertJob(tx, deps, { project, content, kind: 'retry', createdBy, repeatable })
  })
  return wakeForRun(deps, accepted)
}

/** @throws AppError `not_found`; `job_active` */
async function getContent(tx: Db, where: { id: string; projectId: string }): Promise<JobContent> {
  const job = await tx.job.findFirst({ where, include: { runs: { where: { seq: 1 }, select: { prompt: true } } } })
  const [first] = job?.runs ?? []
  if (!job || !first) throw new AppError('not_found', 'Not found.')
  if (job.status === 'active') {
    throw new AppError('job_active', 'The job is active. Cancel it or wait until it ends, then retry it.')
  }
  const { model, baseBranch } = job
  const options = JobOptions.parse(job.options)
  const metadata = JobMetadata.parse(job.metadata)
  return { prompt: first.prompt, model, baseBranch, options, metadata, retryOf: job.id }
}
