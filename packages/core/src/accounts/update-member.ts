import type { Role } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Changes a member's role, effective from the next request. A former owner's unused
 * invitations are deleted.
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner
 */
export async function updateMember(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, userId, role }: MemberKey & { role: Role },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    if (before === 'owner' && role !== 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.update({ where: { projectId_userId: { projectId, userId } }, data: { role } })
    if (role !== 'owner') await takeBackInvitations(tx, { userId, projectId })
  })
}
