import type { Db } from '../db/open-database.ts'
import { countAdmins, lockAdmins } from './lock-admins.ts'
import { takeBackAdminInvitations } from './take-back-invitations.ts'

/**
 * Sets or removes the group that makes a user an admin. Admin access that was granted without a
 * group is kept, and so is that of the last admin. A change of access ends the user's sessions.
 * @returns isLastAdmin: true if the group was not removed, because there is no other admin
 */
export async function setGroupAdmin(
  tx: Db,
  { userId, group }: { readonly userId: string; readonly group: string | null },
): Promise<{ isLastAdmin: boolean }> {
  await lockAdmins(tx, null)
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } })
  const isDirect = user.adminGroup === null ? user.isAdmin : user.isDirectAdmin
  if (group === null && user.adminGroup === null) return { isLastAdmin: false }
  if (group === null && !isDirect && (await countAdmins(tx)) <= 1) return { isLastAdmin: true }
  const isAdmin = group !== null || isDirect
  const data = { isAdmin, adminGroup: group, isDirectAdmin: group !== null && isDirect }
  await tx.user.update({ where: { id: userId }, data })
  if (isAdmin !== user.isAdmin) await tx.session.deleteMany({ where: { userId } })
  if (!isAdmin) await takeBackAdminInvitations(tx, userId)
  return { isLastAdmin: false }
}
