import type { Database } from '../db/open-database.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'

/**
 * Takes a person out of a project, from the next request on. Keys that they made stay: services depend on them.
 * @throws AppError `not_found`; `last_owner` when the project would be left without one
 */
export async function removeMember(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, userId }: MemberKey,
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    if (before === 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.delete({ where: { projectId_userId: { projectId, userId } } })
  })
}
