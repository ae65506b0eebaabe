import type { AuditedDeps } from '../audit/audit-context.ts'
import { setAuditActor } from '../audit/record-audit-event.ts'
import { newId } from '../base/new-id.ts'
import type { AccountDeps } from './get-setup-token.ts'
import { forgetAllSignInTries } from './take-sign-in-try.ts'

/**
 * Sets an account's password, ends all of its sessions and clears its failed sign-ins.
 * @throws Error when the account does not exist
 */
export async function resetPassword(
  deps: AccountDeps & AuditedDeps,
  input: { email: string; passwordHash: string },
): Promise<{ userId: string }> {
  const email = input.email.trim().toLowerCase()
  const user = await deps.prisma.user.findFirst({ where: { email, isDemo: false }, select: { id: true } })
  if (!user) throw new Error(`There is no account ${email}. List the accounts with "corrigenda user list".`)
  const userId = user.id
  await deps.prisma.$transaction(async (tx) => {
    await setAuditActor(tx, deps.audit)
    await tx.account.upsert({
      where: { providerId_accountId: { providerId: 'credential', accountId: userId } },
      create: {
        id: newId('acc'),
        userId,
        accountId: userId,
        providerId: 'credential',
        password: input.passwordHash,
      },
      update: { password: input.passwordHash },
    })
    await tx.session.deleteMany({ where: { userId } })
  })
  await forgetAllSignInTries(deps, email)
  return { userId }
}
