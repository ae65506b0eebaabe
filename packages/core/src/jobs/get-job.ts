import type { AgentJob } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'

/**
 * Returns one of a project's jobs.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getJob(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string; id: string },
): Promise<AgentJob> {
  const row = await prisma.job.findFirst({ where: { id: input.id, projectId: input.projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return toAgentJob(row)
}
