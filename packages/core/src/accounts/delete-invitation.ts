import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Deletes an unused invitation.
 * @throws AppError `not_found`, including for used invitations and those of other projects
 */
export async function deleteInvitation(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  const { count } = await prisma.invitation.deleteMany({ where: { id, projectId, usedAt: null } })
  if (count === 0) throw new AppError('not_found', 'Not found.')
}
