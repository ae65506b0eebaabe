import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'

/** Arbitrary advisory lock key that serializes changes to admins. */
const ADMINS_LOCK = 7_021_469

/**
 * Blocks other changes to admins until the transaction ends.
 * @param actorId the admin making the change, or null when users change their own account
 * @throws AppError `not_found` when the actor is no longer an admin
 */
export async function lockAdmins(tx: Db, actorId: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADMINS_LOCK})`
  if (actorId === null) return
  const actor = await tx.user.findUnique({ where: { id: actorId }, select: { isAdmin: true } })
  if (!actor?.isAdmin) throw new AppError('not_found', 'Not found.')
}

/** Counts the admins, without the demo account, because it works only in the demo. */
export const countAdmins = (tx: Db): Promise<number> => tx.user.count({ where: { isAdmin: true, isDemo: false } })

/**
 * Rejects the removal of the last admin.
 * @throws AppError `last_operator`
 */
export async function refuseLastAdmin(tx: Db): Promise<void> {
  if ((await countAdmins(tx)) > 1) return
  throw new AppError('last_operator', 'This user is the only admin of the service. Make another user an admin first.')
}
