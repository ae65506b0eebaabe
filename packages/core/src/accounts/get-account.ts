import type { AccountDetails, LinkedProvider } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { listSolelyOwned } from './delete-user.ts'
import { toFreshUntil } from './refuse-stale-session.ts'
import type { SignedInUser } from './signed-in-user.ts'

/**
 * Returns the user's account with its sign-in methods and any conditions that prevent its deletion.
 * @param input.providers configured providers; other providers are included if they are linked to
 * the account
 * @param input.passwords false if passwords are turned off, so that the account has none to use
 */
export async function getAccount(
  { prisma }: Pick<Database, 'prisma'>,
  input: { user: SignedInUser; providers: readonly LinkedProvider['provider'][]; passwords: boolean },
): Promise<AccountDetails> {
  const { user, providers, passwords } = input
  const { userId } = user
  const [row, lastOwnerOf, admins] = await Promise.all([
    prisma.user.findUniqueOrThrow({
      where: { id: userId },
      include: { accounts: { select: { providerId: true, createdAt: true } } },
    }),
    listSolelyOwned({ prisma }, userId),
    prisma.user.count({ where: { isAdmin: true, isDemo: false } }),
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
