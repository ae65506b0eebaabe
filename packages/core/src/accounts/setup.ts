import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AuditedDeps, SYSTEM, toUserContext } from '../audit/audit-context.ts'
import { recordAuditEvent, setAuditActor } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import type { AccountDeps } from './tokens.ts'
import { countAdmins, insertAccount, lockAdmins, type NewAccount } from './users.ts'

/**
 * Returns the token that is required to create the first account from another machine. The token
 * is derived from the secret and the database, so it is not stored, every process prints the same
 * token, and a new database has a different one.
 */
export async function getSetupToken({ prisma, authKey }: AccountDeps): Promise<string> {
  const { createdAt } = await prisma.instance.findUniqueOrThrow({ where: { id: 1 } })
  return createHmac('sha256', authKey).update(`setup:${createdAt.toISOString()}`).digest('hex').slice(0, 32)
}

/** Returns true if the token is the setup token. Compares in constant time. */
export async function isSetupToken(deps: AccountDeps, token: string): Promise<boolean> {
  const expected = Buffer.from(await getSetupToken(deps))
  const given = Buffer.from(token.trim())
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Returns true if an admin account exists, not counting the demo account. */
export const isSetUp = async ({ prisma }: { prisma: Db }): Promise<boolean> => (await countAdmins(prisma)) > 0

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
    await lockAdmins(tx, null)
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

/**
 * Makes a user who has set up the service with an identity provider the first admin. Only one of
 * several concurrent calls succeeds.
 * @returns false when another user is an admin
 */
export async function claimFirstAdmin({ prisma }: PrismaDeps, { userId }: { userId: string }): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    await lockAdmins(tx, null)
    const { isAdmin } = await tx.user.findUniqueOrThrow({ where: { id: userId } })
    if (isAdmin || (await isSetUp({ prisma: tx }))) return isAdmin
    const { name } = await tx.user.update({ where: { id: userId, isDemo: false }, data: { isAdmin: true } })
    await recordAuditEvent(tx, toUserContext(SYSTEM, { id: userId, name }), {
      action: 'account.admin_granted',
      target: { type: 'account', id: userId, name },
    })
    return true
  })
}

/**
 * Creates the account that demo visitors are signed in to. It has no password and works only while
 * the service runs as a demo.
 */
export async function ensureDemoOwner({ prisma }: PrismaDeps): Promise<{ userId: string }> {
  await prisma.user.createMany({
    data: { id: newId('usr'), name: 'Demo owner', email: 'demo@corrigenda.invalid', isAdmin: true, isDemo: true },
    skipDuplicates: true,
  })
  const { id } = await prisma.user.findFirstOrThrow({ where: { isDemo: true }, select: { id: true } })
  return { userId: id }
}
