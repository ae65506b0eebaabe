import type { Deployment } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { toDeployment } from './to-deployment.ts'

/**
 * Returns one of a project's deployments.
 * @throws AppError `not_found`, including for another project's deployment
 */
export async function getDeployment(
  { prisma }: Pick<Database, 'prisma'>,
  input: { projectId: string; statusId: string },
): Promise<Deployment> {
  // A malformed id is treated as an unknown deployment.
  const isId = /^dep_[0-9a-z]{26}$/.test(input.statusId)
  const where = { id: input.statusId, projectId: input.projectId }
  const row = isId ? await prisma.deployment.findFirst({ where }) : null
  if (!row) throw new AppError('not_found', 'Not found.')
  return toDeployment(row)
}
