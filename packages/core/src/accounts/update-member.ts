import type { AuditTarget, Role } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db } from '../db/open-database.ts'
import { fromGroup } from './from-group.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'
import { isAtLeast } from './role.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Changes a member's role, effective from the next request. A former owner's unused
 * invitations are deleted.
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner;
 * `managed_by_group` when a group gives the member a higher role
 */
export async function updateMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, role }: MemberKey & { role: Role },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    const { groupRole, groupName } = before
    if (groupRole !== null && groupName !== null && !isAtLeast(role, groupRole)) throw fromGroup(groupName)
    if (before.role === 'owner' && role !== 'owner') await refuseLastOwner(tx, projectId)
    const directRole = groupRole === null || role === groupRole ? null : role
    await tx.membership.update({ where: { projectId_userId: { projectId, userId } }, data: { role, directRole } })
    if (before.role !== role) {
      await recordAuditEvent(tx, audit, {
        ...{ action: 'member.role_changed', projectId, target: await toMemberTarget(tx, userId) },
        ...{ before: { role: before.role }, after: { role } },
      })
    }
    if (role !== 'owner') await takeBackInvitations(tx, { userId, projectId })
  })
}

/** Names a member in the audit log. */
export async function toMemberTarget(tx: Db, userId: string): Promise<AuditTarget> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { name: true } })
  return { type: 'user', id: userId, name: user?.name ?? null }
}
