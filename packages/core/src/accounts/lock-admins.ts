import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'

/** Arbitrary advisory lock key that serializes changes of operators. */
const ADMINS_LOCK = 7_021_469

/**
 * Blocks other changes of operators until the transaction ends.
 * @param actorId the operator who makes the change; null: a user who changes their own account
 * @throws AppError `not_found` when the actor is no longer an operator
 */
export async function lockAdmins(tx: Db, actorId: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADMINS_LOCK})`
  if (actorId === null) return
  const actor = await tx.user.findUnique({ where: { id: actorId }, select: { isAdmin: true } })
  if (!actor?.isAdmin) throw new AppError('not_found', 'Not found.')
}

/**
 * Refuses to remove the last operator. The demo's account does not count, because it ends with the
 * demo.
 * @throws AppError `last_operator`
 */
export async function refuseLastAdmin(tx: Db): Promise<void> {
  if ((await tx.user.count({ where: { isAdmin: true, isDemo: false } })) > 1) return
  throw new AppError('last_operator', 'This is the only operator of the service. Make somebody else an operator first.')
}
