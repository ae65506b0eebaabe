import type { ProviderName } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * @throws AppError `provider_linked` when an account from this provider is already linked;
 * `not_found` for the demo account
 */
export async function refuseLinked(
  { prisma }: Pick<Database, 'prisma'>,
  { userId, provider }: { userId: string; provider: ProviderName },
): Promise<void> {
  const user = await prisma.user.findFirst({
    where: { id: userId, isDemo: false },
    select: { accounts: { where: { providerId: provider }, select: { id: true } } },
  })
  if (!user) throw new AppError('not_found', 'Not found.')
  if (user.accounts.length > 0) {
    throw new AppError('provider_linked', 'An account from this provider is already linked. Remove it first.')
  }
}
