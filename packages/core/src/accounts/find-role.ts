import type { Role } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/**
 * Returns a user's role in a project, or null when the project does not exist or the user has no
 * access. Callers must not reveal the reason.
 */
export async function findRole(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; isAdmin: boolean; projectId: string },
): Promise<Role | null> {
  const { userId, isAdmin, projectId } = input
  if (isAdmin) {
    const project = await prisma.project.findUnique({ where: { id: projectId, deletedAt: null }, select: { id: true } })
    return project === null ? null : 'owner'
  }
  const membership = await prisma.membership.findUnique({
    where: { projectId_userId: { projectId, userId }, project: { deletedAt: null } },
  })
  return membership?.role ?? null
}
