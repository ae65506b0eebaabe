import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { setRevoked } from '../keys/revoke-key.ts'
import { fromGroup } from './from-group.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'
import { toMemberTarget } from './update-member.ts'

/**
 * Removes a member from a project, effective from the next request. Deletes the member's unused
 * invitations. Keys that the member created stay valid by default, because services depend on them.
 * @param input.revokeKeys also revokes the keys that the member created in the project
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner;
 * `managed_by_group` when a group gives the member a role
 */
export async function removeMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, revokeKeys = false }: MemberKey & { revokeKeys?: boolean },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    if (before.groupName !== null) throw fromGroup(before.groupName)
    if (before.role === 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.delete({ where: { projectId_userId: { projectId, userId } } })
    await takeBackInvitations(tx, { userId, projectId })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'member.removed', projectId, target: await toMemberTarget(tx, userId) },
      before: { role: before.role },
    })
    if (revokeKeys) await setRevoked(tx, audit, { projectId, createdById: userId })
  })
}
