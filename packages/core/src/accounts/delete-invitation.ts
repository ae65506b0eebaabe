import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Takes an invitation back that was not used.
 * @throws AppError `not_found`, also for one of another project and one that was used
 */
export async function deleteInvitation(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  const { count } = await prisma.invitation.deleteMany({ where: { id, projectId, usedAt: null } })
  if (count === 0) throw new AppError('not_found', 'Not found.')
}
