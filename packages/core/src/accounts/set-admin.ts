import type { OpsUser } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { fromGroup } from './from-group.ts'
import { getOpsUser } from './list-ops-users.ts'
import { lockAdmins, refuseLastAdmin } from './lock-admins.ts'
import { takeBackAdminInvitations } from './take-back-invitations.ts'

/**
 * Grants or revokes admin access. Admin access from a group is kept after the user leaves the group, if
 * it is also granted here. Either change ends the user's sessions, so that a stolen session
 * does not gain admin access.
 * @param input.actorId the requesting admin, or null for the command line; admins who change their
 * own access stay signed in
 * @throws AppError `not_found`; `last_operator`; `managed_by_group` when a group gives the access
 */
export async function setAdmin(
  { prisma, audit }: AuditedDeps,
  { userId, isAdmin, actorId }: { userId: string; isAdmin: boolean; actorId: string | null },
): Promise<OpsUser> {
  await prisma.$transaction(async (tx) => {
    await lockAdmins(tx, actorId)
    const user = await tx.user.findFirst({ where: { id: userId, isDemo: false } })
    if (!user) throw new AppError('not_found', 'Not found.')
    if (user.adminGroup !== null && !isAdmin) throw fromGroup(user.adminGroup)
    const field = user.adminGroup === null ? 'isAdmin' : 'isDirectAdmin'
    if (user[field] === isAdmin) return
    if (!isAdmin) await refuseLastAdmin(tx)
    await tx.user.update({ where: { id: userId }, data: { [field]: isAdmin } })
    await recordAuditEvent(tx, audit, {
      action: isAdmin ? 'account.admin_granted' : 'account.admin_revoked',
      target: { type: 'account', id: userId, name: user.name },
    })
    // The group already gave the access, so sessions do not change.
    if (field === 'isDirectAdmin') return
    if (userId !== actorId) await tx.session.deleteMany({ where: { userId } })
    if (!isAdmin) await takeBackAdminInvitations(tx, userId)
  })
  return getOpsUser({ prisma }, { userId, actorId })
}
