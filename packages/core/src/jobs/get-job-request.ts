import { JobMetadata, JobOptions, type JobRequest } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { CreateJobDeps } from './create-job.ts'
import { toCurrentModel } from './to-model-id.ts'

/**
 * Returns the request that creates the same job again, with all of its options. The base branch is
 * the one that the job starts from. A branch name that the job has pushed is omitted, because a new
 * job cannot use it.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getJobRequest(
  { prisma, modelAliases = {} }: PrismaDeps & Pick<CreateJobDeps, 'modelAliases'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<JobRequest> {
  const job = await prisma.job.findFirst({
    where: { id, projectId },
    include: { runs: { where: { seq: 1 }, select: { prompt: true } } },
  })
  const [first] = job?.runs ?? []
  if (!job || !first) throw new AppError('not_found', 'Not found.')
  const { branch, ...options } = JobOptions.parse(job.options)
  const metadata = JobMetadata.parse(job.metadata)
  return {
    prompt: first.prompt,
    model: toCurrentModel(modelAliases, job.model),
    ...(job.baseBranch === null ? {} : { ref: job.baseBranch }),
    ...options,
    ...(branch === undefined || job.headCommit !== null ? {} : { branch }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}
