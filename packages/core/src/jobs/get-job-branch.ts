import { JobOptions } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { toRunSettings } from '../projects/run-settings.ts'

/**
 * Returns the branch of a job, also before a worker has created it.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getJobBranch(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<string> {
  const job = await prisma.job.findFirst({ where: { id, projectId }, include: { project: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const requested = job.ref ?? JobOptions.parse(job.options).branch
  return requested ?? `${toRunSettings(job.project.settings).policy.branchPrefix}${id}`
}
