import type { AuditTarget, Role } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db } from '../db/open-database.ts'
import { lockMember, type MemberKey, refuseLastOwner } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Changes a member's role, effective from the next request. A former owner's unused
 * invitations are deleted.
 * @throws AppError `not_found`; `last_owner` when the project would be left without an owner
 */
export async function updateMember(
  { prisma, audit }: AuditedDeps,
  { projectId, userId, role }: MemberKey & { role: Role },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await lockMember(tx, { projectId, userId })
    if (before === 'owner' && role !== 'owner') await refuseLastOwner(tx, projectId)
    await tx.membership.update({ where: { projectId_userId: { projectId, userId } }, data: { role } })
    if (before !== role) {
      await recordAuditEvent(tx, audit, {
        ...{ action: 'member.role_changed', projectId, target: await toMemberTarget(tx, userId) },
        ...{ before: { role: before }, after: { role } },
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
