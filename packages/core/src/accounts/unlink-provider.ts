import type { LinkedProvider } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { writeGroupRights } from './apply-group-rights.ts'
import { NO_GROUP_RIGHTS } from './group-rights.ts'
import { lockAdmins } from './lock-admins.ts'

/**
 * Removes a sign-in method from an account, which must keep at least one other method. Ends the
 * account's other sessions, because some may have used the removed method. Rights from groups of
 * the identity provider are removed with it.
 * @param input.passwords false if passwords are turned off and do not count as a method
 * @throws AppError `not_found` when the method is not linked; `last_sign_in`
 */
export async function unlinkProvider(
  { prisma, audit }: AuditedDeps,
  input: { userId: string; sessionId: string; provider: LinkedProvider['provider']; passwords: boolean },
): Promise<void> {
  const { userId, sessionId, provider, passwords } = input
  await prisma.$transaction(async (tx) => {
    if (provider === 'oidc') await lockAdmins(tx, null)
    // Serializes concurrent removals, which could otherwise remove the last two methods.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
    const linked = await tx.account.findMany({ where: { userId }, select: { id: true, providerId: true } })
    const own = linked.find(({ providerId }) => providerId === provider)
    if (!own) throw new AppError('not_found', 'Not found.')
    if (!linked.some((one) => one !== own && (passwords || one.providerId !== 'credential'))) {
      const remedy = passwords ? 'Set a password' : 'Link another provider'
      throw new AppError('last_sign_in', `This is the account's only sign-in method. ${remedy} first.`)
    }
    await tx.account.delete({ where: { id: own.id } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'account.provider_unlinked', target: { type: 'account', id: userId, name: null } },
      before: { provider },
    })
    if (provider === 'oidc') await writeGroupRights(tx, { userId, rights: NO_GROUP_RIGHTS })
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}
