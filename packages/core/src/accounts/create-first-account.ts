import type { AuditedDeps } from '../audit/audit-context.ts'
import { setAuditActor } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { insertAccount, type NewAccount } from './insert-account.ts'
import { isSetUp } from './is-set-up.ts'

/** Arbitrary advisory lock key that serializes the choice of the first admin. */
export const SETUP_LOCK = 7_021_468

/**
 * Creates the first account, which becomes an admin. Only one of several concurrent calls
 * succeeds.
 * @throws AppError `already_set_up`; `account_exists`
 */
export async function createFirstAccount(
  { prisma, audit }: AuditedDeps,
  account: NewAccount,
): Promise<{ userId: string }> {
  return prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SETUP_LOCK})`
    if (await isSetUp({ prisma: tx })) {
      throw new AppError(
        'already_set_up',
        'The first account already exists. Sign in, or ask its owner for an invitation.',
      )
    }
    await setAuditActor(tx, audit)
    // Only an operator has the setup token.
    return insertAccount(tx, account, { isAdmin: true, isVerified: true })
  })
}
