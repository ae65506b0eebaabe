import type { LinkedProvider } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Takes a way to sign in away from an account; another one must remain. Its other sessions end: some may have come that way.
 * @throws AppError `not_found` when it is not linked; `last_sign_in`
 */
export async function unlinkProvider(
  { prisma }: Pick<Database, 'prisma'>,
  { userId, sessionId, provider }: { userId: string; sessionId: string; provider: LinkedProvider['provider'] },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // Two that are taken away at once must not both find the other.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
    const linked = await tx.account.findMany({ where: { userId }, select: { id: true, providerId: true } })
    const own = linked.find(({ providerId }) => providerId === provider)
    if (!own) throw new AppError('not_found', 'Not found.')
    if (linked.length === 1) {
      throw new AppError('last_sign_in', 'This is the only way to sign in to the account. Set a password first.')
    }
    await tx.account.delete({ where: { id: own.id } })
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}
