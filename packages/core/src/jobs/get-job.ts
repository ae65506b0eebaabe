import { type AgentJob, JobOptions } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PoolDeps, PrismaDeps } from '../db/open-database.ts'
import { queryShared } from '../db/query-prepared.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { toRunSettings } from '../projects/run-settings.ts'

const SELECT = `SELECT ${toJobColumns('jobs')} FROM jobs WHERE id = $1 AND project_id = $2`

/**
 * Returns one of a project's jobs. Sent without Prisma, because clients poll jobs.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getJob(
  { pool }: PoolDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<AgentJob> {
  const [row] = await queryShared<AgentJobRow>(pool, SELECT, [id, projectId])
  if (row === undefined) throw new AppError('not_found', 'Not found.')
  return toAgentJob(row)
}

/**
 * Returns the branch of a job, also before a worker has created it.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getJobBranch(
  { prisma }: PrismaDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<string> {
  const job = await prisma.job.findFirst({ where: { id, projectId }, include: { project: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const requested = job.ref ?? JobOptions.parse(job.options).branch
  return requested ?? `${toRunSettings(job.project.settings).policy.branchPrefix}${id}`
}
