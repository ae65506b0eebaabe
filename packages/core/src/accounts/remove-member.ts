import type { Database } from '../db/open-database.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Removes a member from a project, effective from the next request. Deletes the member's unused
 * invitations. Keys that the member created stay valid by default, because services depend on them.
 * @param input.revokeKeys also revokes the keys that the member created in the project
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner
 */
export async function removeMember(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, userId, revokeKeys = false }: MemberKey & { revokeKeys?: boolean },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    if (before === 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.delete({ where: { projectId_userId: { projectId, userId } } })
    await takeBackInvitations(tx, { userId, projectId })
    if (!revokeKeys) return
    const where = { projectId, createdById: userId, revokedAt: null }
    await tx.apiKey.updateMany({ where, data: { revokedAt: new Date() } })
  })
}
