import type { OpsUser } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { getOpsUser } from './list-ops-users.ts'
import { lockAdmins, refuseLastAdmin } from './lock-admins.ts'

/**
 * Grants or revokes admin access. Either change ends the user's sessions, so that a stolen session
 * does not gain admin access.
 * @param input.actorId the requesting admin, or null for the command line; admins who change their
 * own access stay signed in
 * @throws AppError `not_found`; `last_operator`
 */
export async function setAdmin(
  { prisma, audit }: AuditedDeps,
  { userId, isAdmin, actorId }: { userId: string; isAdmin: boolean; actorId: string | null },
): Promise<OpsUser> {
  await prisma.$transaction(async (tx) => {
    await lockAdmins(tx, actorId)
    const user = await tx.user.findFirst({
      where: { id: userId, isDemo: false },
      select: { isAdmin: true, name: true },
    })
    if (!user) throw new AppError('not_found', 'Not found.')
    if (user.isAdmin === isAdmin) return
    if (!isAdmin) await refuseLastAdmin(tx)
    await tx.user.update({ where: { id: userId }, data: { isAdmin } })
    await recordAuditEvent(tx, audit, {
      action: isAdmin ? 'account.admin_granted' : 'account.admin_revoked',
      target: { type: 'account', id: userId, name: user.name },
    })
    if (userId !== actorId) await tx.session.deleteMany({ where: { userId } })
    // Deletes invitations that the user could create only as an admin.
    if (!isAdmin) {
      await tx.$executeRaw`
        DELETE FROM invitations AS i WHERE created_by_id = ${userId} AND used_at IS NULL AND NOT EXISTS (
          SELECT FROM memberships AS m WHERE m.project_id = i.project_id AND m.user_id = ${userId} AND m.role = 'owner')`
    }
  })
  return getOpsUser({ prisma }, { userId, actorId })
}
