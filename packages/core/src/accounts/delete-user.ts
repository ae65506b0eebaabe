import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { lockAdmins, refuseLastAdmin } from './lock-admins.ts'
import { lockMembers } from './lock-member.ts'
import { takeBackInvitations } from './take-back-invitations.ts'

/**
 * Deletes an account along with its sessions and memberships. Jobs and keys created by the user
 * remain and still show the user's name.
 * @param input.email the account's email address, as confirmation
 * @param input.actorId the requesting admin, or null when users delete their own account or the
 * command line is used
 * @throws AppError `not_found`; `invalid_request` when the email address differs; `last_owner` or
 * `last_operator` when another user must take over first
 */
export async function deleteUser(
  { prisma, audit }: AuditedDeps,
  { userId, email, actorId }: { userId: string; email: string; actorId: string | null },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await lockAdmins(tx, actorId)
    // The row lock prevents new references to the account, such as a concurrently added membership.
    const [user] = await tx.$queryRaw<{ name: string; email: string; is_operator: boolean }[]>`
      SELECT name, email, is_operator FROM users WHERE id = ${userId} AND NOT is_demo FOR UPDATE`
    if (!user) throw new AppError('not_found', 'Not found.')
    if (user.email !== email) {
      throw new AppError(
        'invalid_request',
        "This is not the account's email address. Enter the exact address to delete the account.",
      )
    }
    if (user.is_operator) await refuseLastAdmin(tx)
    await rejectSoleOwner(tx, userId)
    await takeBackInvitations(tx, { userId, projectId: null })
    await tx.apiKey.updateMany({ where: { createdById: userId }, data: { createdByName: user.name } })
    await tx.user.delete({ where: { id: userId } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'account.deleted', target: { type: 'account', id: userId, name: user.name } },
      before: { email, isAdmin: user.is_operator },
    })
  })
}

async function rejectSoleOwner(tx: Db, userId: string): Promise<void> {
  // The fixed order prevents deadlocks between concurrent deletions.
  const owned = await tx.membership.findMany({ where: { userId, role: 'owner' }, orderBy: { projectId: 'asc' } })
  for (const { projectId } of owned) await lockMembers(tx, projectId)
  const [first, ...more] = await listSolelyOwned({ prisma: tx }, userId)
  if (first === undefined) return
  const names = `"${first.name}"${more.length > 0 ? ` and ${more.length} more` : ''}`
  throw new AppError(
    'last_owner',
    `This user is the only owner of ${names}. Make another member an owner, or delete the project. Then delete the account.`,
  )
}

/** Lists the projects whose only owner is this user, sorted by name. */
export async function listSolelyOwned(
  { prisma }: { prisma: Db },
  userId: string,
): Promise<{ id: string; name: string }[]> {
  return prisma.project.findMany({
    where: {
      memberships: { some: { userId, role: 'owner' } },
      NOT: { memberships: { some: { userId: { not: userId }, role: 'owner' } } },
    },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}
