import type { AccountDetails, LinkedProvider } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { listSolelyOwned } from './delete-person.ts'
import type { Person } from './person.ts'
import { toFreshUntil } from './refuse-stale-session.ts'

/**
 * Returns the user's own account: its sign-in methods and the reasons that prevent its deletion.
 * @param input.providers configured providers; others are included when they are linked
 */
export async function getAccount(
  { prisma }: Pick<Database, 'prisma'>,
  { person, providers }: { person: Person; providers: readonly LinkedProvider['provider'][] },
): Promise<AccountDetails> {
  const { userId } = person
  const [user, lastOwnerOf, admins] = await Promise.all([
    prisma.user.findUniqueOrThrow({
      where: { id: userId },
      include: { accounts: { select: { providerId: true, createdAt: true } } },
    }),
    listSolelyOwned({ prisma }, userId),
    prisma.user.count({ where: { isAdmin: true, isDemo: false } }),
  ])
  const linkedAt = (provider: string) => user.accounts.find(({ providerId }) => providerId === provider)?.createdAt
  const named = (['github', 'oidc'] as const).filter((one) => providers.includes(one) || linkedAt(one) !== undefined)
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    isAdmin: user.isAdmin,
    createdAt: user.createdAt.toISOString(),
    hasPassword: linkedAt('credential') !== undefined,
    providers: named.map((provider) => ({ provider, linkedAt: linkedAt(provider)?.toISOString() ?? null })),
    freshUntil: toFreshUntil(person).toISOString(),
    lastOwnerOf,
    isLastAdmin: user.isAdmin && !user.isDemo && admins === 1,
  }
}
