import type { AccountDetails, LinkedProvider } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent, setAuditActor } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { NO_GROUP_RIGHTS, writeGroupRights } from './groups.ts'
import { type SignedInUser, toFreshUntil } from './sessions.ts'
import { forgetAllSignInTries } from './sign-in-tries.ts'
import type { AccountDeps } from './tokens.ts'
import { countAdmins, getUserByEmail, listSolelyOwned, lockAdmins } from './users.ts'

type Provider = LinkedProvider['provider']

/**
 * Returns the user's account with its sign-in methods and any conditions that prevent its deletion.
 * @param input.providers configured providers; other providers are included if they are linked to
 * the account
 * @param input.passwords false if passwords are turned off, so that the account has none to use
 */
export async function getAccount(
  { prisma }: PrismaDeps,
  { user, providers, passwords }: { user: SignedInUser; providers: readonly Provider[]; passwords: boolean },
): Promise<AccountDetails> {
  const [row, lastOwnerOf, admins] = await Promise.all([
    prisma.user.findUniqueOrThrow({
      where: { id: user.userId },
      include: { accounts: { select: { providerId: true, createdAt: true } } },
    }),
    listSolelyOwned(prisma, user.userId),
    countAdmins(prisma),
  ])
  const linkedAt = (provider: string) => row.accounts.find(({ providerId }) => providerId === provider)?.createdAt
  const named = (['github', 'oidc'] as const).filter((one) => providers.includes(one) || linkedAt(one) !== undefined)
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isAdmin: row.isAdmin,
    createdAt: row.createdAt.toISOString(),
    hasPassword: passwords && linkedAt('credential') !== undefined,
    providers: named.map((provider) => ({ provider, linkedAt: linkedAt(provider)?.toISOString() ?? null })),
    freshUntil: toFreshUntil(user).toISOString(),
    lastOwnerOf,
    isLastAdmin: row.isAdmin && !row.isDemo && admins === 1,
  }
}

/** @param input.name trimmed, 1 to 100 characters */
export async function renameAccount(
  { prisma, audit }: AuditedDeps,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } })
    if (before.name === name) return
    await tx.user.update({ where: { id: userId }, data: { name } })
    await recordAuditEvent(tx, audit, {
      action: 'account.renamed',
      target: { type: 'account', id: userId, name },
      before: { name: before.name },
      after: { name },
    })
  })
}

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
    const user = await tx.user.findUnique({ where: { id: userId, isDemo: false }, select: { id: true } })
    const { count } = await tx.account.createMany({
      data: user
        ? [{ id: newId('acc'), userId, accountId: userId, providerId: 'credential', password: passwordHash }]
        : [],
      skipDuplicates: true,
    })
    if (count === 0) {
      throw new AppError('password_wrong', 'The account already has a password. Send it as currentPassword.')
    }
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}

/**
 * Sets an account's password, ends all of its sessions and clears its failed sign-ins.
 * @throws Error when the account does not exist
 */
export async function resetPassword(
  deps: AccountDeps & AuditedDeps,
  { email: text, passwordHash: password }: { email: string; passwordHash: string },
): Promise<{ userId: string }> {
  const { id: userId, email } = await getUserByEmail(deps, text)
  await deps.prisma.$transaction(async (tx) => {
    await setAuditActor(tx, deps.audit)
    await tx.account.upsert({
      where: { providerId_accountId: { providerId: 'credential', accountId: userId } },
      create: { id: newId('acc'), userId, accountId: userId, providerId: 'credential', password },
      update: { password },
    })
    await tx.session.deleteMany({ where: { userId } })
  })
  await forgetAllSignInTries(deps, email)
  return { userId }
}

/**
 * @throws AppError `provider_linked` when an account from this provider is already linked;
 * `not_found` for the demo account
 */
export async function refuseLinked(
  { prisma }: PrismaDeps,
  { userId, provider }: { userId: string; provider: Provider },
): Promise<void> {
  const user = await prisma.user.findUnique({
    where: { id: userId, isDemo: false },
    select: { accounts: { where: { providerId: provider }, select: { id: true } } },
  })
  if (!user) throw notFound()
  if (user.accounts.length > 0) {
    throw new AppError('provider_linked', 'An account from this provider is already linked. Remove it first.')
  }
}

/**
 * Removes a sign-in method from an account, which must keep at least one other method. Ends the
 * account's other sessions, because some may have used the removed method. Rights from groups of
 * the identity provider are removed with it.
 * @param input.passwords false if passwords are turned off and do not count as a method
 * @throws AppError `not_found` when the method is not linked; `last_sign_in`
 */
export async function unlinkProvider(
  { prisma, audit }: AuditedDeps,
  input: { userId: string; sessionId: string; provider: Provider; passwords: boolean },
): Promise<void> {
  const { userId, sessionId, provider, passwords } = input
  await prisma.$transaction(async (tx) => {
    if (provider === 'oidc') await lockAdmins(tx, null)
    // Serializes concurrent removals, which could otherwise remove the last two methods.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
    const linked = await tx.account.findMany({ where: { userId }, select: { id: true, providerId: true } })
    const own = linked.find(({ providerId }) => providerId === provider)
    if (!own) throw notFound()
    if (!linked.some((one) => one !== own && (passwords || one.providerId !== 'credential'))) {
      const remedy = passwords ? 'Set a password' : 'Link another provider'
      throw new AppError('last_sign_in', `This is the account's only sign-in method. ${remedy} first.`)
    }
    await tx.account.delete({ where: { id: own.id } })
    await recordAuditEvent(tx, audit, {
      action: 'account.provider_unlinked',
      target: { type: 'account', id: userId, name: null },
      before: { provider },
    })
    if (provider === 'oidc') await writeGroupRights(tx, { userId, rights: NO_GROUP_RIGHTS })
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}

/** Stores the login of a linked GitHub account, which its owner can change. */
export async function saveGithubLogin(
  { prisma }: PrismaDeps,
  { accountId, login }: { accountId: string; login: string },
): Promise<void> {
  await prisma.account.updateMany({ where: { providerId: 'github', accountId }, data: { login } })
}

/**
 * Returns the identity provider of a sign-in in progress.
 * @param state the OAuth `state` parameter
 * @returns null when the state is unknown; undefined when it does not name a provider
 */
export async function findSignInProvider({ prisma }: PrismaDeps, state: string): Promise<string | undefined | null> {
  const row = await prisma.verification.findFirst({ where: { identifier: `auth-state:${state}` } })
  return row && (JSON.parse(row.value) as { provider?: string }).provider
}
