import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Ends one of a user's sessions. Its next request is rejected.
 * @throws AppError `not_found`, including for another user's session
 */
export async function endSession(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; id: string },
): Promise<void> {
  const { count } = await prisma.session.deleteMany({ where: { id: input.id, userId: input.userId } })
  if (count === 0) throw new AppError('not_found', 'Not found.')
}

/** Ends all of a user's sessions except the given one. Idempotent. */
export async function endOtherSessions(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; sessionId: string | null },
): Promise<void> {
  const { userId, sessionId } = input
  await prisma.session.deleteMany({ where: { userId, ...(sessionId !== null && { id: { not: sessionId } }) } })
}
