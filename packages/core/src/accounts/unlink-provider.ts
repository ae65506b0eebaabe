import type { LinkedProvider } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'

/**
 * Removes a sign-in method from an account, which must keep at least one other method. Ends the
 * account's other sessions, because some may have used the removed method.
 * @throws AppError `not_found` when the method is not linked; `last_sign_in`
 */
export async function unlinkProvider(
  { prisma, audit }: AuditedDeps,
  { userId, sessionId, provider }: { userId: string; sessionId: string; provider: LinkedProvider['provider'] },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // Serializes concurrent removals, which could otherwise remove the last two methods.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
    const linked = await tx.account.findMany({ where: { userId }, select: { id: true, providerId: true } })
    const own = linked.find(({ providerId }) => providerId === provider)
    if (!own) throw new AppError('not_found', 'Not found.')
    if (linked.length === 1) {
      throw new AppError('last_sign_in', "This is the account's only sign-in method. Set a password first.")
    }
    await tx.account.delete({ where: { id: own.id } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'account.provider_unlinked', target: { type: 'account', id: userId, name: null } },
      before: { provider },
    })
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}
