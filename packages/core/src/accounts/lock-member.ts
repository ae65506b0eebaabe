import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import type { MembershipModel } from '../generated/prisma/models/Membership.ts'

export interface MemberKey {
  readonly projectId: string
  readonly userId: string
}

/** Serializes a project's membership changes, so that two owners cannot remove each other. */
export async function lockMembers(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`members:${projectId}`}, 0))`
}

/** @throws AppError `not_found` when the user is not a member */
export async function lockMember(tx: Db, { projectId, userId }: MemberKey): Promise<MembershipModel> {
  await lockMembers(tx, projectId)
  const row = await tx.membership.findUnique({ where: { projectId_userId: { projectId, userId } } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return row
}

/** @throws AppError `last_owner` */
export async function refuseLastOwner(tx: Db, projectId: string): Promise<void> {
  if ((await tx.membership.count({ where: { projectId, role: 'owner' } })) > 1) return
  throw new AppError('last_owner', 'This member is the only owner of the project. Make another member an owner first.')
}
