import { JobMetadata, JobOptions } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { type AcceptJobDeps, acceptJob, type CreatedJob } from './accept-job.ts'

/**
 * Asks for the same once more: a new job with the first prompt, the options, model, base branch and metadata of one that has ended, linked by
 * `retryOf`, in the project's repository of now. Follow-up messages are not repeated. A branch name that the caller chose is kept, too: the retry
 * fails when that branch still stands. The quota of creations counts `POST …/job` only, so retries have a bucket of their own, of the same size.
 * @throws AppError `not_found`; `job_active` while it is active; `idempotency_in_flight`, `idempotency_mismatch`, `too_many_pull_requests`;
 * DuplicateJobError; QuotaError
 */
export async function retryJob(
  deps: AcceptJobDeps,
  input: { projectId: string; id: string; idempotencyKey: string | null; createdBy?: string | null },
): Promise<CreatedJob> {
  const { projectId, id, idempotencyKey, createdBy = null } = input
  const where = { id, projectId }
  // Before anything else: a foreign job is as good as none, whatever the idempotency key says.
  const known = await deps.prisma.job.findFirst({ where, select: { id: true } })
  if (!known) throw new AppError('not_found', 'Not found.')
  return acceptJob(deps, {
    projectId,
    kind: 'retry',
    createdBy,
    repeatable:
      idempotencyKey === null
        ? null
        : { projectId, key: idempotencyKey, operation: `POST job/${id}/retry`, body: null },
    async getContent(tx) {
      const job = await tx.job.findFirst({ where, include: { runs: { where: { seq: 1 }, select: { prompt: true } } } })
      const [first] = job?.runs ?? []
      if (!job || !first) throw new AppError('not_found', 'Not found.')
      if (job.status === 'active') {
        throw new AppError('job_active', 'The job is active. Cancel it or wait for its end, then retry it.')
      }
      const { model, baseBranch } = job
      const options = JobOptions.parse(job.options)
      const metadata = JobMetadata.parse(job.metadata)
      return { prompt: first.prompt, model, baseBranch, options, metadata, retryOf: job.id }
    },
  })
}
