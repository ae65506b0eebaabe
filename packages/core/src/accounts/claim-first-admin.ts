import { SYSTEM, toUserContext } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Database } from '../db/open-database.ts'
import { SETUP_LOCK } from './create-first-account.ts'
import { isSetUp } from './is-set-up.ts'

/**
 * Makes a user who has set up the service with an identity provider the first admin. Only one of
 * several concurrent calls succeeds.
 * @returns false when another user is an admin
 */
export async function claimFirstAdmin(
  { prisma }: Pick<Database, 'prisma'>,
  { userId }: { userId: string },
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SETUP_LOCK})`
    const { isAdmin } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
    if (isAdmin || (await isSetUp({ prisma: tx }))) return isAdmin
    const { name } = await tx.user.update({ where: { id: userId, isDemo: false }, data: { isAdmin: true } })
    await recordAuditEvent(tx, toUserContext(SYSTEM, { id: userId, name }), {
      ...{ action: 'account.admin_granted', target: { type: 'account', id: userId, name } },
    })
    return true
  })
}
