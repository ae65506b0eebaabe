import type { Role } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** What a person may do in a project; null when it does not exist or is none of theirs: callers must not learn which. */
export async function findRole(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; isOperator: boolean; projectId: string },
): Promise<Role | null> {
  const { userId, isOperator, projectId } = input
  if (isOperator) {
    const project = await prisma.project.findUnique({ where: { id: projectId }, select: { id: true } })
    return project === null ? null : 'owner'
  }
  const membership = await prisma.membership.findUnique({ where: { projectId_userId: { projectId, userId } } })
  return membership?.role ?? null
}
