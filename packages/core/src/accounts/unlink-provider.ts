import type { LinkedProvider } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Removes a sign-in method from an account; another one must remain. Ends the account's other
 * sessions, because some may have used that method.
 * @throws AppError `not_found` when it is not linked; `last_sign_in`
 */
export async function unlinkProvider(
  { prisma }: Pick<Database, 'prisma'>,
  { userId, sessionId, provider }: { userId: string; sessionId: string; provider: LinkedProvider['provider'] },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // Serializes concurrent removals, which would otherwise each see the other method.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
    const linked = await tx.account.findMany({ where: { userId }, select: { id: true, providerId: true } })
    const own = linked.find(({ providerId }) => providerId === provider)
    if (!own) throw new AppError('not_found', 'Not found.')
    if (linked.length === 1) {
      throw new AppError('last_sign_in', 'This is the only sign-in method of the account. Set a password first.')
    }
    await tx.account.delete({ where: { id: own.id } })
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } })
  })
}
