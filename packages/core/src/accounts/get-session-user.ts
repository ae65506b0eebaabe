import type { Database } from '../db/open-database.ts'
import type { SignedInUser } from './signed-in-user.ts'

/**
 * Returns the user who owns a new session.
 * @param token the session's token in plain text
 * @throws when the session does not exist
 */
export async function getSessionUser({ prisma }: Pick<Database, 'prisma'>, token: string): Promise<SignedInUser> {
  const { id, createdAt, user } = await prisma.session.findUniqueOrThrow({ where: { token }, include: { user: true } })
  const { name, email, isAdmin } = user
  return { sessionId: id, userId: user.id, name, email, isAdmin, signedInAt: createdAt }
}
