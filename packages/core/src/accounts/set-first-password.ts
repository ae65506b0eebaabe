import type { AuditedDeps } from '../audit/audit-context.ts'
import { setAuditActor } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'

/**
 * Sets the first password for an account that signs in through a provider, and ends its other
 * sessions.
 * @throws AppError `password_wrong` when the account already has a password, because changing it
 * requires the current one
 */
export async function setFirstPassword(
  { prisma, audit }: AuditedDeps,
  { userId, sessionId, passwordHash }: { userId: string; sessionId: string; passwordHash: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await setAuditActor(tx, audit)
    const [inserted] = await tx.$queryRaw<unknown[]>`
      INSERT INTO accounts (id, user_id, account_id, provider_id, password)
      SELECT ${newId('acc')}, id, id, 'credential', ${passwordHash} FROM users WHERE id = ${userId} AND NOT is_demo
      ON CONFLICT DO NOTHING RETURNING 1`
    if (inserted === undefined) {
      throw new AppError('password_wrong', 'The account already has a password. Send it as currentPassword.')
    }
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}
