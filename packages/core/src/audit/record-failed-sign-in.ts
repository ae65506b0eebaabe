import type { AuditedDeps } from './audit-context.ts'
import { recordAuditEvent } from './record-audit-event.ts'

/** Failed sign-ins that are recorded per hour, so that an attacker cannot fill the database. */
export const FAILED_SIGN_INS_PER_HOUR = 1_000

/**
 * Records a failed sign-in in the audit log. Takes the same time whether or not the account exists.
 * @param input.email the address that was entered
 */
export async function recordFailedSignIn(
  { prisma, audit }: AuditedDeps,
  { email }: { readonly email: string },
): Promise<void> {
  const action = 'session.sign_in_failed'
  const recent = await prisma.auditEvent.count({
    where: { action, createdAt: { gt: new Date(Date.now() - 3_600_000) } },
    take: FAILED_SIGN_INS_PER_HOUR,
  })
  if (recent >= FAILED_SIGN_INS_PER_HOUR) return
  await recordAuditEvent(prisma, audit, { action, target: { type: 'email', id: email, name: null } })
}
